import type { FileObject } from '#contract/workflows.ts';

/**
 * A file as seen by templates, code and outputs, with the hosted service's members in the same order (graphon, file/models.py, `to_dict`).
 * References, conditions and list operators use different names for some of them (see `getFileMember`).
 */
export interface FileValue {
	readonly dify_model_identity: '__dify__file__';
	/** ID of a file of an earlier message; always null here. */
	readonly id: null;
	readonly type: string;
	readonly transfer_method: 'remote_url' | 'local_file';
	readonly remote_url: string | null;
	/** ID of the upload. */
	readonly reference: string | null;
	readonly filename: string;
	/** Extension with the dot, for example ".pdf"; empty if unknown. */
	readonly extension: string;
	readonly mime_type: string;
	/** Size in bytes; -1 if unknown. */
	readonly size: number;
	/** ID of the upload. */
	readonly related_id: string | null;
	readonly url: string | null;
}

/** Details of an uploaded file. */
export interface UploadFacts {
	readonly name: string;
	readonly mimeType: string;
	/** Size in bytes. */
	readonly size: number;
}

/** Converts a file of a run to the value that nodes see; `uploaded`: the gateway's details of an upload. */
export function toFileValue(file: FileObject, uploaded?: UploadFacts): FileValue {
	const url = file.transfer_method === 'remote_url' ? file.url : null;
	const upload = file.transfer_method === 'local_file' ? file.upload_file_id : null;
	const filename = uploaded?.name ?? getNameInUrl(url);
	return {
		dify_model_identity: '__dify__file__',
		id: null,
		type: file.type,
		transfer_method: file.transfer_method,
		remote_url: url,
		reference: upload,
		filename,
		extension: /\.[^./\\]+$/.exec(filename)?.[0].toLowerCase() ?? '',
		mime_type: uploaded?.mimeType ?? '',
		size: uploaded?.size ?? -1,
		related_id: upload,
		url,
	};
}

export function isFileValue(value: unknown): value is FileValue {
	return typeof value === 'object' && value !== null && 'dify_model_identity' in value && value.dify_model_identity === '__dify__file__';
}

/** Returns the name of a file. Runs saved by version 0.1.0 use the key `name`. */
export function getFileName(file: FileValue & { readonly name?: string }): string {
	return file.filename ?? file.name ?? '';
}

/** Returns a Markdown link to a file, or an image. */
export function formatFileMarkdown(file: FileValue): string {
	const label = getFileName(file) || 'file';
	return `${file.type === 'image' ? '!' : ''}[${label}](${file.url ?? ''})`;
}

function getNameInUrl(url: string | null): string {
	if (!url || !URL.canParse(url)) {
		return '';
	}
	const last = new URL(url).pathname.split('/').at(-1) ?? '';
	try {
		return decodeURIComponent(last);
	} catch {
		return last;
	}
}
