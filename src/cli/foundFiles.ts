import fs from 'node:fs';
import path from 'node:path';

/** Folders without user files. */
const left = ['**/node_modules/**', '**/.git/**'];

/**
 * Finds the files that match paths and globs. Returns unique absolute paths, sorted per glob. In a folder, finds the files that match
 * `within`.
 */
export function findFiles(patterns: readonly string[], within?: string): string[] {
	const files = patterns.flatMap(pattern => {
		// an existing path is taken literally, even if it has glob characters
		const stat = findStats(pattern);
		if (stat?.isFile()) {
			return [pattern];
		}
		const glob = stat?.isDirectory() ? within && path.join(pattern, within) : pattern;
		return glob === undefined ? [] : fs.globSync(glob, { exclude: left }).filter(isFile).sort();
	});
	return [...new Set(files.map(file => path.resolve(file)))];
}

function isFile(file: string): boolean {
	return findStats(file)?.isFile() ?? false;
}

/** Returns the stats of a path, or `undefined` if it leads nowhere: it's missing, too long, or a link to itself. */
export function findStats(file: string): fs.BigIntStats | undefined {
	try {
		return fs.statSync(file, { bigint: true });
	} catch {
		return undefined;
	}
}
