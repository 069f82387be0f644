import { constants, lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Defines in which folder the files that a workspace file refers to must be. */
export interface FileScope {
	/** Base of relative paths: the folder of the file that names them. */
	readonly folder: string;
	/** Folder that paths must not leave, even through symbolic links: the workspace folder. */
	readonly root: string;
	/** Absolute paths that may be outside the root, because the user named them, not a workspace file. */
	readonly named?: ReadonlySet<string>;
}

/**
 * Flags for opening a path that {@link resolveInside} returned. They refuse a link that has replaced the file since, and don't block on a
 * pipe.
 */
export const resolvedReadFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Thrown for a path that is outside its {@link FileScope}. */
export class OutsideScope extends Error {
	override readonly name = 'OutsideScope';
	readonly reason = 'outside-scope';

	constructor(reference: string, root: string) {
		super(`'${reference}' is outside ${root}`);
	}
}

/**
 * Returns the real path of a file that a workspace file refers to. All such paths must be resolved here. Absolute paths must be inside the
 * root too, because `${workspaceFolder}` produces them. Throws {@link OutsideScope}, if possible before reading the disk, and the system's
 * error if the file doesn't exist.
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

/**
 * Like {@link resolveInside}, for a file to write: the file and its folders may not exist yet. A link to nothing is refused, because
 * writing would create its target.
 */
export function resolveInsideToWrite(reference: string, scope: FileScope): string {
	try {
		return resolveInside(reference, scope);
	} catch (error) {
		const file = path.resolve(scope.folder, reference);
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
			throw error;
		}
		if (lstatSync(file, { throwIfNoEntry: false })) {
			throw new OutsideScope(reference, scope.root);
		}
		return path.relative(scope.root, file) === '' ? file : path.join(resolveInsideToWrite(path.dirname(file), scope), path.basename(file));
	}
}

/** True if a path leaves its scope: by `..`, an absolute path, a Windows drive or a network share, on any system. Doesn't read the disk. */
export function isOutsideScope(reference: string, { folder, root }: FileScope, paths: path.PlatformPath = path): boolean {
	const isForeign = paths.sep === '/' && /^(?:[a-z]:[\\/]|[\\/]{2})/i.test(reference);
	return isForeign || !isInsideFolder(paths.resolve(folder, reference), root, paths);
}

/**
 * True if an absolute path is a folder or inside it. Doesn't read the disk. A name that only starts with two dots isn't a parent folder.
 */
export function isInsideFolder(file: string, folder: string, paths: path.PlatformPath = path): boolean {
	const relative = paths.relative(folder, file);
	return relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative);
}
