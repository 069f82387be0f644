import { constants, realpathSync } from 'node:fs';
import path from 'node:path';

/** Where files named by a workspace file may be. */
export interface FileScope {
	/** Base of relative paths: the folder of the file that names them. */
	readonly folder: string;
	/** Folder that paths must not leave, even through symbolic links: the workspace folder. */
	readonly root: string;
	/** Absolute paths that may be outside the root, because the user named them, not a workspace file. */
	readonly named?: ReadonlySet<string>;
}

/** Flags to open a path that {@link resolveInside} returned: a link must not replace it in the meantime, and a pipe must not block. */
export const resolvedReadFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A path is outside its {@link FileScope}. */
export class OutsideScope extends Error {
	override readonly name = 'OutsideScope';
	readonly reason = 'outside-scope';

	constructor(reference: string, root: string) {
		super(`'${reference}' is outside ${root}`);
	}
}

/**
 * Returns the real path of a file named by a workspace file. All such paths must be resolved here. Absolute paths must be inside the root
 * too, because `${workspaceFolder}` produces them. Throws {@link OutsideScope}, without reading the disk if the text is enough, and the
 * system's error if the file doesn't exist.
 */
export function resolveInside(reference: string, scope: FileScope): string {
	if (scope.named?.has(reference)) {
		return realpathSync.native(reference);
	}
	if (isOutsideScope(reference, scope)) {
		throw new OutsideScope(reference, scope.root);
	}
	const file = realpathSync.native(path.resolve(scope.folder, reference));
	if (!isInsideFolder(file, realpathSync.native(scope.root))) {
		throw new OutsideScope(reference, scope.root);
	}
	return file;
}

/** True if the text of a path leaves its scope: by `..`, an absolute path, a Windows drive or a network share, on any system. */
export function isOutsideScope(reference: string, { folder, root }: FileScope, paths: path.PlatformPath = path): boolean {
	const isForeign = paths.sep === '/' && /^(?:[a-z]:[\\/]|[\\/]{2})/i.test(reference);
	return isForeign || !isInsideFolder(paths.resolve(folder, reference), root, paths);
}

/** True if an absolute path is a folder or inside it, judged by the text. A name that starts with two dots is an ordinary name. */
export function isInsideFolder(file: string, folder: string, paths: path.PlatformPath = path): boolean {
	const relative = paths.relative(folder, file);
	return relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative);
}
