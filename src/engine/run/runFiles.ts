import type { FileObject } from '#contract/workflows.ts';
import { type FileValue, toFileValue } from '../variables/fileValue.ts';
import type { EngineServices } from './engineTypes.ts';

/** Converts a run's files to the values that nodes see. */
export function createRunFiles(files: readonly FileObject[], services: EngineServices): FileValue[] {
	return files.map(file => createRunFile(file, services));
}

/** Converts a file to the value that nodes see. */
export function createRunFile(file: FileObject, services: EngineServices): FileValue {
	return toFileValue(file, file.transfer_method === 'local_file' ? services.files.describeUpload(file.upload_file_id) : undefined);
}
