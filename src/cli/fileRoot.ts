import path from 'node:path';
import { isInsideFolder } from '#base/files/fileScope.ts';

/** Returns the folder that paths in a file, and links to it, must not leave: the working folder, or the folder of a file outside it. */
export function getFileRoot(file: string): string {
	const folder = process.cwd();
	return isInsideFolder(file, folder) ? folder : path.dirname(file);
}
