import fs from 'node:fs';
import path from 'node:path';

/** Finds programs of a name on the PATH, first match first; on Windows also with executable extensions. */
export function findProgramsOnPath(name: string): string[] {
	const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
	const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(folder => folder !== '');
	return folders.flatMap(folder => endings.map(ending => path.join(folder, name + ending))).filter(file => fs.existsSync(file));
}
