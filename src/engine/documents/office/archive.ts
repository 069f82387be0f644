import { readZipEntries, type ZipEntry } from '#base/files/zipEntries.ts';
import { NodeError } from '../../nodes/nodeError.ts';
import { isCompoundFile } from './compoundFile.ts';

/** Maximum number of bytes to unpack from one document: a small file can unpack to more than fits in memory. */
const maxBytes = 30 * 1024 * 1024;

/** The zip archive that a document consists of (DOCX, XLSX, PPTX, ODT, EPUB). Unpacks only the requested files. */
export class Archive {
	readonly #entries: readonly ZipEntry[];
	#left = maxBytes;

	constructor(bytes: Uint8Array) {
		if (isCompoundFile(bytes)) {
			throw new NodeError(
				'The document has a password, or an Office format from before 2007. Save it without a password in the newer format.',
				'TextExtractionError',
			);
		}
		this.#entries = runUnpacker(() => readZipEntries(bytes));
	}

	/** Returns one file. @throws {NodeError} if it doesn't exist or exceeds 30 MB */
	readFile(name: string): Uint8Array {
		const bytes = this.readFiles(other => other === name).get(name);
		if (!bytes) {
			throw new NodeError(`The document has no text: ${name} is missing`, 'TextExtractionError');
		}
		return bytes;
	}

	/**
	 * Returns files that another file of the document lists, by the listed path. Upper and lower case of paths may differ, as in Office.
	 * @throws {NodeError} if one doesn't exist, because a part of the text would be missing without notice
	 */
	readListedFiles(paths: readonly string[]): ReadonlyMap<string, Uint8Array> {
		const wanted = new Set(paths.map(path => path.toLowerCase()));
		const files = new Map([...this.readFiles(name => wanted.has(name.toLowerCase()))].map(([name, file]) => [name.toLowerCase(), file]));
		return new Map(
			paths.map(path => {
				const file = files.get(path.toLowerCase());
				if (!file) {
					throw new NodeError(`The document is damaged: ${path} is missing`, 'TextExtractionError');
				}
				return [path, file];
			}),
		);
	}

	/** Returns the wanted files, by name. @throws {NodeError} if more than 30 MB are unpacked in total, or the data isn't an archive */
	readFiles(isWanted: (name: string) => boolean): Map<string, Uint8Array> {
		const files = new Map<string, Uint8Array>();
		for (const entry of this.#entries.filter(({ name }) => isWanted(toForwardSlashes(name)))) {
			const bytes = runUnpacker(() => entry.unpack(this.#left));
			if (!bytes) {
				throw new NodeError(
					`The unpacked document is larger than ${maxBytes / 1024 / 1024} MB, the limit for documents`,
					'TextExtractionError',
				);
			}
			this.#left -= bytes.length;
			files.set(toForwardSlashes(entry.name), bytes);
		}
		return files;
	}
}

/** @throws {NodeError} if the data is damaged or isn't an archive */
function runUnpacker<T>(read: () => T): T {
	try {
		return read();
	} catch (cause) {
		throw new NodeError(`Couldn't unpack the document: ${(cause as Error).message}`, 'TextExtractionError', { cause });
	}
}

/** Normalizes path separators, because some programs write Windows separators. */
function toForwardSlashes(name: string): string {
	return name.replaceAll('\\', '/');
}

/** Resolves a path that another file of the archive refers to, relative to that file's folder or to the root. */
export function resolveArchivePath(file: string, target: string): string {
	const url = new URL(target.replaceAll('\\', '/'), new URL(encodeURI(file), 'archive://root/'));
	try {
		return decodeURIComponent(url.pathname.slice(1));
	} catch {
		return url.pathname.slice(1);
	}
}
