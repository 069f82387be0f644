import path from 'node:path';
import { leadsOut, OutsideScope, resolveInside } from '#base/files/fileScope.ts';

/**
 * Absolute path of a folder that a workspace's setting names; `undefined` if it is outside the workspace folder, also by a link. The path is the real one,
 * unless the folder doesn't exist yet: the gateway reports that.
 */
export function insideFolder(name: unknown, root: string): string | undefined {
	if (typeof name !== 'string' || name === '' || path.isAbsolute(name)) {
		return undefined;
	}
	const scope = { folder: root, root };
	try {
		return resolveInside(name, scope);
	} catch (error) {
		return error instanceof OutsideScope || leadsOut(name, scope) ? undefined : path.join(root, name);
	}
}
