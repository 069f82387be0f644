import fs from 'node:fs';
import path from 'node:path';

/** Folders without user files. */
const left = ['**/node_modules/**', '**/.git/**'];

/** Finds the files matching paths and globs: absolute, unique, sorted per glob. For a folder, searches `within` in it. */
export function findFiles(patterns: readonly string[], within?: string): string[] {
	const files = patterns.flatMap(pattern => {
		// an existing path is taken literally, even with glob characters
		const stat = fs.statSync(pattern, { throwIfNoEntry: false });
		if (stat?.isFile()) {
			return [pattern];
		}
		const glob = stat?.isDirectory() ? within && path.join(pattern, within) : pattern;
		return glob === undefined ? [] : fs.globSync(glob, { exclude: left }).filter(isFile).sort();
	});
	return [...new Set(files.map(file => path.resolve(file)))];
}

function isFile(file: string): boolean {
	return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
