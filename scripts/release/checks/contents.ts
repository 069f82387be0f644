import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../lib/paths.ts';
import type { PackedFiles, Release } from '../release.ts';

/** Maximum bytes of the extension's package. */
const mostBytes = 4_000_000;

const forbiddenNames = /\.(?:map|ts|pem|key|log|vsix|tgz|sqlite)$|(?:^|\/)(?:test|\.env|node_modules|\.git)(?:\/|$)/;

const secrets: readonly [string, RegExp][] = [
	['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[A-Za-z\d+/]{40}/],
	['a token', /\b(?:ghp|gho|ghs|npm)_[A-Za-z\d]{36}\b|\bgithub_pat_\w{60}|\bsk-ant-api\d\d-[\w-]{80}|\bAKIA[A-Z\d]{16}\b/],
	['a source map', /^\/\/# sourceMappingURL=/m],
];

/** Check 2: packages contain the files of the committed lists and nothing private. */
export function checkContents(release: Release): string[] {
	return [
		...compareWithList('extension', release.extension),
		...compareWithList('cli', release.cli),
		...[release.extension, release.cli].flatMap(files => findPrivateContent(files, [root, release.folder, os.homedir()])),
		...(release.extensionSize > mostBytes ? [`the extension has ${release.extensionSize} bytes, more than ${mostBytes}`] : []),
	];
}

/** Returns the file with the committed list of a package's files. */
export const getListFile = (name: string): string => path.join(import.meta.dirname, `../contents/${name}.txt`);

function compareWithList(name: string, files: PackedFiles): string[] {
	const committed = fs.readFileSync(getListFile(name), 'utf8').trimEnd().split('\n');
	return compareLists(name, committed, formatList(files.keys()));
}

/** Returns how the files of a package differ from the committed list. */
export function compareLists(name: string, committed: readonly string[], packed: readonly string[]): string[] {
	return [
		...packed
			.filter(file => !committed.includes(file))
			.map(file => `${name}: ${file} isn't in scripts/release/contents/${name}.txt (npm run release:check -- --update)`),
		...committed.filter(file => !packed.includes(file)).map(file => `${name}: ${file} is missing in the package`),
	];
}

/** Returns sorted paths, with one line for all chunks that esbuild splits off: their names and hashes change with the code. */
export function formatList(names: Iterable<string>): string[] {
	const chunk = /^(dist\/(?:(?:cli|gateway)-|webview\/shared\/)).+-[A-Z\d]{8}\.js$/;
	return [...new Set([...names].map(name => name.replace(chunk, '$1*.js')))].sort();
}

/** Returns files that don't belong into a package, or contain secrets or a folder of the machine that built it. */
export function findPrivateContent(files: PackedFiles, folders: readonly string[]): string[] {
	return [...files].flatMap(([name, content]) => {
		const text = content.toString('latin1');
		return [
			...(forbiddenNames.test(name) ? [`${name} doesn't belong into a package`] : []),
			...secrets.filter(([, pattern]) => pattern.test(text)).map(([what]) => `${name} contains ${what}`),
			...folders.filter(folder => folder.length > 5 && text.includes(folder)).map(folder => `${name} contains the path ${folder}`),
		];
	});
}
