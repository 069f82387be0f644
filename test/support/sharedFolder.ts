import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** A folder of fixtures that may not be copied: it lies beside or above the repository on some machines. */
export function sharedFolder(name: string): string | undefined {
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
