import { closeSync, type Dirent, fstatSync, openSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { resolvedReadFlags } from './fileScope.ts';

/** Maximum number of indexed files per folder. */
export const maxFiles = 20_000;
/** Maximum size of a document in bytes. */
export const maxFileBytes = 32 * 1024 * 1024;

/** A file in a folder of documents. */
interface ScannedFile {
	/** Path relative to the folder, with slashes. */
	readonly path: string;
	readonly size: number;
	/** Time in Unix milliseconds. */
	readonly modified: number;
	readonly created: number;
}

/** Content of a folder of documents. */
interface FolderScan {
	readonly files: readonly ScannedFile[];
	/** True if there are more files than {@link maxFiles}. */
	readonly more: boolean;
	/** Subfolders that can't be read, and files whose properties can't. */
	readonly unreadable: readonly string[];
}

/**
 * Lists the files of a folder and its subfolders, sorted by name. Skips names that start with a dot and `node_modules`. Skips everything
 * but regular files, because links could lead out of the folder. Throws the system's error if the folder itself can't be read.
 */
export function scanFolder(root: string, limit = maxFiles): FolderScan {
	const files: ScannedFile[] = [];
	const unreadable: string[] = [];
	const folders = [''];
	for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
		let entries: Dirent[];
		try {
			entries = readdirSync(path.join(root, folder), { withFileTypes: true });
		} catch (error) {
			if (folder === '') {
				throw error;
			}
			unreadable.push(folder);
			continue;
		}
		const shown = entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules').sort(compareNames);
		folders.push(
			...shown
				.filter(entry => entry.isDirectory())
				.map(({ name }) => path.posix.join(folder, name))
				.reverse(),
		);
		for (const entry of shown) {
			if (!entry.isFile()) {
				continue;
			}
			if (files.length >= limit) {
				return { files, more: true, unreadable };
			}
			const name = path.posix.join(folder, entry.name);
			try {
				// undefined if the file was deleted since the folder was read
				const info = statSync(path.join(root, name), { throwIfNoEntry: false });
				if (info?.isFile()) {
					files.push({ path: name, size: info.size, modified: info.mtimeMs, created: info.birthtimeMs });
				}
			} catch {
				unreadable.push(name);
			}
		}
	}
	return { files, more: false, unreadable };
}

/**
 * Reads a scanned file. Returns undefined if the file has left the folder, because a link may have replaced the file or a parent
 * folder since the scan, or if it has grown beyond {@link maxFileBytes}.
 */
export function readScannedFile(root: string, name: string): Buffer | undefined {
	const [folder, file] = [realpathSync(root), realpathSync(path.join(root, name))];
	if (file !== path.join(folder, name)) {
		return undefined;
	}
	const descriptor = openSync(file, resolvedReadFlags);
	try {
		const info = fstatSync(descriptor);
		return info.isFile() && info.size <= maxFileBytes ? readFileSync(descriptor) : undefined;
	} finally {
		closeSync(descriptor);
	}
}

function compareNames(left: Dirent, right: Dirent): number {
	return left.name < right.name ? -1 : 1;
}
