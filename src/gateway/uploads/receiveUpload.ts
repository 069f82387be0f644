import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { renameFile } from '#base/files/renameFile.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { StoreFault, toStoreFault } from '../store/storeFault.ts';
import type { UploadRow, UploadStore } from '../store/uploadStore.ts';
import { cleanFileName, getExtension, getFileKind, getMimeType, sizeLimits } from './fileKinds.ts';
import { getBoundary, MultipartError, type MultipartEvent, MultipartParser } from './multipart.ts';

/** Maximum number of fields other than files, and total bytes of their names and values. */
const maxFields = 100;
const maxFieldBytes = 64 * 1024;
/** Maximum bytes of a whole form: the largest file plus other content. */
const maxFormBytes = sizeLimits.video + 1024 * 1024;

/** A received upload. Its bytes are in the store, but its row isn't saved yet. */
export interface ReceivedUpload {
	readonly row: UploadRow;
	/** Form fields other than the file, such as `user` and `model`. */
	readonly fields: Readonly<Record<string, string>>;
}

/**
 * Receives a form with one `file`, and streams its bytes to the store's folder. Throws an error in Dify's wording (wire facts 1.1) for a
 * missing file, several files, a missing name, or a wrong size or type. Nothing is left behind in that case.
 */
export async function receiveUpload(request: IncomingMessage, uploads: UploadStore): Promise<ReceivedUpload> {
	const boundary = getBoundary(request.headers['content-type']);
	if (boundary === undefined) {
		throw new ServiceFault(400, 'Please upload your file.', { code: 'no_file_uploaded' });
	}
	const receiver = new Receiver(uploads);
	try {
		const parser = new MultipartParser(boundary);
		let size = 0;
		for await (const chunk of request.iterator({ destroyOnReturn: false })) {
			// count the bytes, because a chunked body has no length header
			size += (chunk as Buffer).length;
			if (size > maxFormBytes) {
				throw createTooLargeError(sizeLimits.video);
			}
			for (const event of parser.push(chunk as Buffer)) {
				await receiver.handleEvent(event);
			}
		}
		if (!parser.ended) {
			throw new MultipartError('the form is incomplete');
		}
		return await receiver.finishUpload();
	} catch (error) {
		await receiver.discardUpload();
		const fault = isFolderMissing(error) ? new StoreFault('folder-gone', error) : toStoreFault(error);
		if (fault) {
			throw fault;
		}
		if (error instanceof MultipartError || !(error instanceof ServiceFault || request.complete)) {
			throw new ServiceFault(
				400,
				localizable`The request body isn't a valid multipart form: ${error instanceof MultipartError ? error.message : 'it is incomplete'}.`,
				{
					cause: error,
				},
			);
		}
		throw error;
	}
}

/** Receives the parts of a form. */
class Receiver {
	readonly #uploads: UploadStore;
	readonly #id = randomUUID();
	readonly #fields: Record<string, string> = {};
	#handle: FileHandle | undefined;
	#file: Omit<UploadRow, 'id' | 'user' | 'created_at'> | undefined;
	#limit = 0;
	#size = 0;
	#field: { readonly name: string; readonly chunks: Buffer[] } | undefined;
	#fieldCount = 0;
	#fieldBytes = 0;

	constructor(uploads: UploadStore) {
		this.#uploads = uploads;
	}

	async handleEvent(event: MultipartEvent): Promise<void> {
		if (event.kind === 'part') {
			await this.#startPart(event);
		} else if (event.kind === 'data') {
			await this.#addData(event.data);
		} else if (event.kind === 'partEnd' && this.#field) {
			this.#fields[this.#field.name] = Buffer.concat(this.#field.chunks).toString('utf8');
			this.#field = undefined;
		}
	}

	async finishUpload(): Promise<ReceivedUpload> {
		if (!this.#file || !this.#handle) {
			throw new ServiceFault(400, 'Please upload your file.', { code: 'no_file_uploaded' });
		}
		await this.#handle.close();
		this.#handle = undefined;
		await renameFile(this.#partial, this.#uploads.getUploadPath(this.#id));
		const row = { id: this.#id, user: this.#fields['user'] ?? '', ...this.#file, size: this.#size, created_at: Date.now() };
		return { row, fields: this.#fields };
	}

	async discardUpload(): Promise<void> {
		await this.#handle?.close();
		await rm(this.#partial, { force: true });
	}

	get #partial(): string {
		return `${this.#uploads.getUploadPath(this.#id)}.part`;
	}

	async #startPart(part: Extract<MultipartEvent, { kind: 'part' }>): Promise<void> {
		this.#field = undefined;
		if (part.name !== 'file') {
			this.#field = { name: part.name, chunks: [] };
			this.#fieldCount++;
			this.#countFieldBytes(Buffer.byteLength(part.name));
			return;
		}
		if (this.#file) {
			throw new ServiceFault(400, 'Only one file is allowed.', { code: 'too_many_files' });
		}
		const name = cleanFileName(part.fileName ?? '');
		const extension = getExtension(name);
		const mimeType = getMimeType(extension, part.contentType);
		this.#limit = sizeLimits[getFileKind(extension, mimeType)];
		this.#file = { name, size: 0, extension, mime_type: mimeType };
		this.#handle = await open(this.#partial, 'wx', 0o600);
	}

	async #addData(data: Buffer): Promise<void> {
		if (this.#field) {
			this.#countFieldBytes(data.length);
			this.#field.chunks.push(Buffer.from(data));
			return;
		}
		this.#size += data.length;
		if (this.#size > this.#limit) {
			throw createTooLargeError(this.#limit);
		}
		await this.#handle?.writeFile(data);
	}

	#countFieldBytes(count: number): void {
		this.#fieldBytes += count;
		if (this.#fieldCount > maxFields || this.#fieldBytes > maxFieldBytes) {
			throw new ServiceFault(
				413,
				localizable`The form has too many fields, or they are too long. The limit is ${maxFields} fields with a total of ${maxFieldBytes} bytes, in addition to the file.`,
				{ code: 'file_too_large' },
			);
		}
	}
}

/** True if the store's folder, which existed when the gateway started, is gone. */
function isFolderMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function createTooLargeError(limit: number): ServiceFault {
	return new ServiceFault(413, `File size exceeded. The limit for this kind of file is ${limit / (1024 * 1024)} MB.`, {
		code: 'file_too_large',
	});
}
