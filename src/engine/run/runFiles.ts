import type { FileObject } from '#contract/workflows.ts';
import { type FileValue, fileValue } from '../variables/fileValue.ts';
import type { EngineServices } from './engineTypes.ts';

/** Makes the values that nodes see of a run's files. */
export function runFiles(files: readonly FileObject[], services: EngineServices): FileValue[] {
	return files.map(file => runFile(file, services));
}

/** Makes the value that nodes see of one file. */
export function runFile(file: FileObject, services: EngineServices): FileValue {
	return fileValue(file, file.transfer_method === 'local_file' ? services.files.describe(file.upload_file_id) : undefined);
}
