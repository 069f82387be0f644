import type { FileObject } from '#contract/workflows.ts';
import { type FileValue, toFileValue } from '../variables/fileValue.ts';
import type { EngineFiles } from './engineTypes.ts';

/** Converts a run's files to the values that nodes see. Looks up each upload once, because a list can contain it very often. */
export function createRunFiles(files: readonly FileObject[], services: UploadServices): FileValue[] {
	const known = new Map<string, ReturnType<EngineFiles['describeUpload']>>();
	const describeUpload = (id: string) => {
		if (!known.has(id)) {
			known.set(id, services.files.describeUpload(id));
		}
		return known.get(id);
	};
	return files.map(file => createRunFile(file, { files: { describeUpload } }));
}

/** Converts a file to the value that nodes see. */
export function createRunFile(file: FileObject, services: UploadServices): FileValue {
	return toFileValue(file, file.transfer_method === 'local_file' ? services.files.describeUpload(file.upload_file_id) : undefined);
}

interface UploadServices {
	readonly files: Pick<EngineFiles, 'describeUpload'>;
}
