import fs from 'node:fs';
import path from 'node:path';

/** Finds a folder by its relative path in the checkout or in any folder above it. Returns `undefined` if none exists. */
function findFolderAbove(name: string): string | undefined {
	for (let folder = path.join(import.meta.dirname, '..', '..'); ; folder = path.dirname(folder)) {
		const found = path.join(folder, name);
		if (fs.existsSync(found)) {
			return found;
		}
		if (folder === path.dirname(folder)) {
			return undefined;
		}
	}
}

/** Returns the samples' agent files, and those next to the repository, if any (see its README). */
export function readAgentFiles(): readonly { readonly name: string; readonly text: string }[] {
	const fixtures = findFolderAbove('shared/fixtures');
	const folders = [
		path.join(import.meta.dirname, '../../samples/agents'),
		...(fixtures ? ['dify-upstream', 'dsl', 'dsl-newest'].map(name => path.join(fixtures, name)) : []),
	];
	return folders.flatMap(folder =>
		fs
			.readdirSync(folder)
			.filter(name => name.endsWith('.yml'))
			.toSorted()
			.map(name => ({ name: `${path.basename(folder)}/${name}`, text: fs.readFileSync(path.join(folder, name), 'utf8') })),
	);
}
