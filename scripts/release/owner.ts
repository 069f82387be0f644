// npm run release:owner -- OWNER [PUBLISHER]: puts the owner of the repository, and the publisher of the extension if it's another one,
// into every file that names them.
import { root } from '../lib/paths.ts';
import { getRepositoryOwner, readManifest } from './manifest.ts';
import { escapePattern, rewriteSourceFiles } from './sourceFiles.ts';

/** Replaces the owner that package.json names, in addresses of the repository and in `@owner`. Returns the changed files. */
export function replaceOwner(folder: string, owner: string): string[] {
	if (!/^[a-z\d](?:-?[a-z\d]){0,38}$/i.test(owner)) {
		throw new Error(`'${owner}' can't be an owner: use at most 39 letters, digits and single hyphens`);
	}
	const { name, ...manifest } = readManifest(folder);
	const current = escapePattern(getRepositoryOwner({ name, ...manifest }));
	const pattern = new RegExp(`(?<![\\w-])${current}(?=/${escapePattern(name)}\\b)|(?<=(?:^|\\s)@)${current}(?![\\w/-])`, 'gm');
	return rewriteSourceFiles(folder, text => text.replace(pattern, owner));
}

/** Replaces the publisher in package.json and in IDs of the extension. Returns the changed files. */
export function replacePublisher(folder: string, publisher: string): string[] {
	if (!/^[a-z\d][a-z\d-]*$/i.test(publisher)) {
		throw new Error(`'${publisher}' can't be a publisher: use letters, digits and hyphens`);
	}
	const { name, publisher: current } = readManifest(folder);
	const id = new RegExp(`(?<![\\w-])${escapePattern(current)}(?=\\.${escapePattern(name)}(?![\\w-]))`, 'g');
	const field = new RegExp(`(?<="publisher": ")${escapePattern(current)}(?=")`);
	return rewriteSourceFiles(folder, text => text.replace(id, publisher).replace(field, publisher));
}

if (import.meta.main) {
	const [owner, publisher] = process.argv.slice(2);
	if (!owner) {
		throw new Error('usage: npm run release:owner -- OWNER [PUBLISHER]');
	}
	const changed = [...replaceOwner(root, owner), ...(publisher ? replacePublisher(root, publisher) : [])];
	console.log([...new Set(changed)].sort().join('\n'));
}
