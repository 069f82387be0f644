import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Finds a folder of fixtures that may not be copied: on some machines it is next to the repository or in a parent folder. */
export function findSharedFolder(name: string): string | undefined {
	for (let folder = root; ; folder = path.dirname(folder)) {
		const found = path.join(folder, 'shared', name);
		if (fs.existsSync(found)) {
			return found;
		}
		if (folder === path.dirname(folder)) {
			return undefined;
		}
	}
}
