import fs from 'node:fs';
import path from 'node:path';

/** Folders that a clean clone doesn't have. */
const generated = new Set(['.git', 'node_modules', 'dist', '.vscode-test']);

/** Returns the paths of all files in a checkout, relative to it and with `/`, without installed and generated ones. */
export function listSourceFiles(folder: string, below = ''): string[] {
	return fs.readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap(entry => {
		const file = path.posix.join(below, entry.name);
		if (generated.has(entry.name)) {
			return [];
		}
		return entry.isDirectory() ? listSourceFiles(folder, file) : entry.isFile() ? [file] : [];
	});
}

/** Replaces text in all text files of a checkout and returns the files that changed. */
export function rewriteSourceFiles(folder: string, rewrite: (text: string) => string): string[] {
	return listSourceFiles(folder).filter(name => {
		const file = path.join(folder, name);
		const bytes = fs.readFileSync(file);
		if (bytes.includes(0)) {
			return false;
		}
		const text = bytes.toString('utf8');
		const changed = rewrite(text);
		if (changed !== text) {
			fs.writeFileSync(file, changed);
		}
		return changed !== text;
	});
}

/** Escapes a text for a regular expression. */
export const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
