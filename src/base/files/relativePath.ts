import path from 'node:path';

/** Returns the path of a file as reports contain it on every system: relative to a folder, with slashes. */
export function formatRelativePath(file: string, folder = process.cwd(), paths: path.PlatformPath = path): string {
	return paths.relative(folder, file).replaceAll(paths.sep, '/');
}
