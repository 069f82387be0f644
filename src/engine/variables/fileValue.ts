import type { FileObject } from '#contract/workflows.ts';

/** A file as nodes see it, in the hosted service's form (workflow DSL, "Referring to variables": name, size, type, …). */
export interface FileValue {
	readonly dify_model_identity: '__dify__file__';
	readonly type: string;
	readonly transfer_method: 'remote_url' | 'local_file';
	readonly url: string | null;
	readonly remote_url: string | null;
	/** ID of the upload. */
	readonly related_id: string | null;
	readonly name: string;
	/** With the dot, for example ".pdf"; empty if unknown. */
	readonly extension: string;
	readonly mime_type: string;
	/** Bytes; -1 if unknown. */
	readonly size: number;
}

/** What is known of an uploaded file. */
export interface UploadedFile {
	readonly name: string;
	readonly mimeType: string;
	/** Bytes. */
	readonly size: number;
}

/** Makes the value that nodes see of a run's file; `uploaded` is what the gateway knows of an upload. */
export function fileValue(file: FileObject, uploaded?: UploadedFile): FileValue {
	const url = file.transfer_method === 'remote_url' ? file.url : null;
	const name = uploaded?.name ?? nameInUrl(url);
	return {
		dify_model_identity: '__dify__file__',
		type: file.type,
		transfer_method: file.transfer_method,
		url,
		remote_url: url,
		related_id: file.transfer_method === 'local_file' ? file.upload_file_id : null,
		name,
		extension: /\.[^./\\]+$/.exec(name)?.[0].toLowerCase() ?? '',
		mime_type: uploaded?.mimeType ?? '',
		size: uploaded?.size ?? -1,
	};
}

export function isFileValue(value: unknown): value is FileValue {
	return typeof value === 'object' && value !== null && 'dify_model_identity' in value && value.dify_model_identity === '__dify__file__';
}

/** Markdown link to a file; an image is shown. */
export function fileMarkdown(file: FileValue): string {
	const label = file.name || 'file';
	return `${file.type === 'image' ? '!' : ''}[${label}](${file.url ?? ''})`;
}

function nameInUrl(url: string | null): string {
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
