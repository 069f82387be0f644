import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { type FileObject, fileObjectSchema } from '#contract/workflows.ts';
import type { UploadStore } from '../store/uploadStore.ts';
import { getExtension, getFileKind, getTypeExtension, sizeLimits } from '../uploads/fileKinds.ts';

/** Reads files from the arguments of a call. They are given by URL, or as data that is saved as an upload. */
export class FileArguments {
	readonly #uploads: Pick<UploadStore, 'addBytes'>;
	readonly #user: string;

	/** @param user owner of the uploads */
	constructor(uploads: Pick<UploadStore, 'addBytes'>, user: string) {
		this.#uploads = uploads;
		this.#user = user;
	}

	/**
	 * Reads a file argument: a web URL, a `data:` URL, or a file object as in other endpoints. Throws an error (400, 413) that names the
	 * argument.
	 * @param allowed types that its variable accepts; empty if it accepts all
	 */
	async readFileArgument(name: string, value: unknown, allowed: readonly string[]): Promise<FileObject> {
		const object = fileObjectSchema.safeParse(value);
		if (object.success) {
			return object.data;
		}
		if (typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value)) {
			const kind = getFileKind(getExtension(new URL(value).pathname), '');
			return { type: getFileType(kind, allowed), transfer_method: 'remote_url', url: value };
		}
		const data = typeof value === 'string' ? /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.+-]+)*;base64,/i.exec(value) : null;
		if (!data) {
			throw new ServiceFault(400, `${name} must be a file: an http:// or https:// URL, or data:TYPE;base64,…`);
		}
		return this.#uploadFile(
			name,
			(data[1] as string).toLowerCase(),
			Buffer.from((value as string).slice(data[0].length), 'base64'),
			allowed,
		);
	}

	async #uploadFile(name: string, type: string, bytes: Buffer, allowed: readonly string[]): Promise<FileObject> {
		const extension = getTypeExtension(type);
		const kind = getFileKind(extension, type);
		if (bytes.length > sizeLimits[kind]) {
			throw new ServiceFault(413, `${name} is too large. The limit for this kind of file is ${sizeLimits[kind] / (1024 * 1024)} MB`);
		}
		const file = { user: this.#user, name: `${name}.${extension}`, size: bytes.length, extension, mime_type: type };
		return {
			type: getFileType(kind, allowed),
			transfer_method: 'local_file',
			upload_file_id: await this.#uploads.addBytes(file, bytes),
		};
	}
}

/** Returns the file's type: `custom` if its variable only accepts the file by extension. */
function getFileType(kind: Exclude<FileObject['type'], 'custom'>, allowed: readonly string[]): FileObject['type'] {
	return allowed.length > 0 && !allowed.includes(kind) && allowed.includes('custom') ? 'custom' : kind;
}
