import type { LanguageModelV4FilePart } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { FileObject } from '#contract/workflows.ts';
import type { UploadStore } from '../store/uploadStore.ts';
import { cleanFileName, getExtension, getFileKind, sizeLimits } from '../uploads/fileKinds.ts';

/**
 * Converts the files of a prompt to files of a run: URLs stay, bytes become uploads. Throws an error: 413 for a file that is too large, 415
 * for a type that isn't allowed.
 */
export function toRunFiles(parts: readonly LanguageModelV4FilePart[], user: string, uploads: UploadStore): Promise<readonly FileObject[]> {
	return Promise.all(parts.map(part => toRunFile(part, user, uploads)));
}

async function toRunFile({ data, mediaType, filename }: LanguageModelV4FilePart, user: string, uploads: UploadStore): Promise<FileObject> {
	const family = mediaType.split('/')[0];
	if (data.type === 'url') {
		return { type: family === 'image' ? 'image' : 'document', transfer_method: 'remote_url', url: data.url.href };
	}
	if (data.type !== 'data') {
		throw new ServiceFault(400, `Files of the type '${data.type}' can't be passed to an agent. Send the file itself.`, {
			params: 'messages',
		});
	}
	const name = cleanFileName(filename ?? `${family}.${mediaType.split('/')[1]?.replace(/\W.*/, '') || 'bin'}`);
	const extension = getExtension(name);
	const kind = getFileKind(extension, mediaType);
	const bytes = typeof data.data === 'string' ? Buffer.from(data.data, 'base64') : data.data;
	if (bytes.length > sizeLimits[kind]) {
		throw new ServiceFault(
			413,
			`The file '${name}' is too large. The limit for this kind of file is ${sizeLimits[kind] / (1024 * 1024)} MB.`,
			{
				params: 'messages',
			},
		);
	}
	const id = await uploads.addBytes({ user, name, size: bytes.length, extension, mime_type: mediaType }, bytes);
	return { type: kind, transfer_method: 'local_file', upload_file_id: id };
}
