import path from 'node:path';
import { isOutsideScope, OutsideScope, resolveInside } from '#base/files/fileScope.ts';

/**
 * Returns the absolute path of a folder that a workspace setting names, with links resolved. Returns `undefined` if the folder is outside
 * the workspace folder, for example through a link. Accepts folders that don't exist, because the gateway reports them.
 */
export function resolveFolderInside(name: unknown, root: string): string | undefined {
	if (typeof name !== 'string' || name === '' || path.isAbsolute(name)) {
		return undefined;
	}
	const scope = { folder: root, root };
	try {
		return resolveInside(name, scope);
	} catch (error) {
		return error instanceof OutsideScope || isOutsideScope(name, scope) ? undefined : path.join(root, name);
	}
}
