import { constants, realpathSync } from 'node:fs';
import path from 'node:path';

/** Where files named by a workspace file may be. */
export interface FileScope {
	/** Base of relative paths: the folder of the file that names them. */
	readonly folder: string;
	/** Folder that paths must not leave, even through symbolic links: the workspace folder. */
	readonly root: string;
}

/**
 * Flags to open a file by the real path that {@link resolveInside} has just returned: no link may replace it meanwhile, and a pipe must not
 * block.
 */
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
 * The real path of what a workspace file names; all such paths are resolved here. An absolute path must be inside the root too, as
 * `${workspaceFolder}` makes one. Throws {@link OutsideScope}, before the disk is read if the text alone shows it, and the system's error
 * if there is no such file.
 */
export function resolveInside(reference: string, scope: FileScope): string {
	if (leadsOut(reference, scope)) {
		throw new OutsideScope(reference, scope.root);
	}
	const file = realpathSync.native(path.resolve(scope.folder, reference));
	if (!isInside(file, realpathSync.native(scope.root))) {
		throw new OutsideScope(reference, scope.root);
	}
	return file;
}

/** True if the text of a path leaves its scope: by `..`, an absolute path, a Windows drive or a network share, on any system. */
export function leadsOut(reference: string, { folder, root }: FileScope, paths: path.PlatformPath = path): boolean {
	const isForeign = paths.sep === '/' && /^(?:[a-z]:[\\/]|[\\/]{2})/i.test(reference);
	return isForeign || !isInside(paths.resolve(folder, reference), root, paths);
}

/** True if an absolute path is a folder or inside it, judged by the text. A name that starts with two dots is an ordinary name. */
export function isInside(file: string, folder: string, paths: path.PlatformPath = path): boolean {
	const relative = paths.relative(folder, file);
	return relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative);
}
