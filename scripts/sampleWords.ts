// Prints strings, comments and function names picked at random, to be read by someone who didn't write them (CONTRIBUTING.md, "How we write").
// Usage: node scripts/sampleWords.ts [seed]. Without a seed, the hash of the current commit is used, so that the choice can be repeated.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { readEnglishBundle, readManifestStrings } from './l10n/bundles.ts';
import { root } from './lib/paths.ts';

const seed = process.argv[2] ?? execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const files = fs
	.globSync('{src,test,scripts}/**/*.{ts,mjs,cjs}', { cwd: root, exclude: name => name === 'node_modules' })
	.sort()
	.map(file => ({ file: file.replaceAll(path.sep, '/'), text: fs.readFileSync(path.join(root, file), 'utf8') }));

const comment = /\/\*\*[\s\S]*?\*\/|(?<=^\s*)\/\/.*(?:\n\s*\/\/.*)*/gm;
const directive = /^\/\/ (?:biome-ignore|@ts-|eslint)/;
const functionName =
	/\bfunction\*? (\w+)|^\t+(?:(?:private|protected|public|static|async|override|abstract) )*\*?(#?\w+)(?:<[^>\n]*>)?\([^\n]*\)(?:: [^\n]*)? \{$|\b(?:const|readonly) (\w+) = (?:async )?(?:\([^()]*\)|\w+)(?:: [^=\n]+)? =>/gm;
const keywords = new Set(['if', 'for', 'while', 'switch', 'catch', 'constructor', 'function', 'with', 'it', 'describe']);

const bundle: Record<string, string | { message: string }> = JSON.parse(readEnglishBundle());
const strings = [...Object.values(bundle), ...readManifestStrings().values()].map(each => (typeof each === 'string' ? each : each.message));
const comments = files.flatMap(({ file, text }) =>
	[...text.matchAll(comment)].filter(([found]) => !directive.test(found)).map(found => `${locate(file, text, found.index)} ${found[0]}`),
);
const names = files.flatMap(({ file, text }) =>
	[...text.matchAll(functionName)]
		.map(found => ({ index: found.index, name: found[1] ?? found[2] ?? found[3] ?? '' }))
		.filter(({ name }) => !keywords.has(name))
		.map(({ index, name }) => `${locate(file, text, index)} ${name}`),
);

print('Strings', pick(strings, 100));
print('Comments', pick(comments, 60));
print('Function names', pick(names, 60));

function locate(file: string, text: string, index: number): string {
	return `${file}:${text.slice(0, index).split('\n').length}`;
}

/** Picks entries with the lowest hashes of seed and position. */
function pick(all: readonly string[], count: number): readonly string[] {
	const rank = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest('hex');
	return all
		.map((text, index) => ({ text, rank: rank(index) }))
		.sort((a, b) => (a.rank < b.rank ? -1 : 1))
		.slice(0, count)
		.map(({ text }) => text);
}

function print(title: string, entries: readonly string[]): void {
	console.log(`\n# ${title} (seed ${seed})`);
	for (const [index, entry] of entries.entries()) {
		console.log(`${index + 1}. ${entry}`);
	}
}
