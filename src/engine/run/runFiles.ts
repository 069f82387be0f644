import type { FileObject } from '#contract/workflows.ts';
import { type FileValue, fileValue } from '../variables/fileValue.ts';
import type { EngineServices } from './engineTypes.ts';

/** Converts a run's files to the values that nodes see. */
export function runFiles(files: readonly FileObject[], services: EngineServices): FileValue[] {
	return files.map(file => runFile(file, services));
}

/** Converts a file to the value that nodes see. */
export function runFile(file: FileObject, services: EngineServices): FileValue {
	return fileValue(file, file.transfer_method === 'local_file' ? services.files.describe(file.upload_file_id) : undefined);
}
