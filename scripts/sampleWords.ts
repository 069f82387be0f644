// Prints strings, comments and function names picked at random, for a reader who didn't write them (CONTRIBUTING.md, "How we write").
// Usage: node scripts/sampleWords.ts [seed]. The default seed is the hash of the current commit, so that the choice can be repeated.
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

/** Matches strings too, so that neither a comment in a string nor a string in a comment is mistaken. Comments are captured. */
const stringOrComment = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(\/\*[\s\S]*?\*\/|\/\/.*(?:\n\s*\/\/.*)*)/g;
const directive = /^\/\/ (?:biome-ignore|@ts-|eslint)/;
const functionName =
	/\bfunction\*? (\w+)(?=[<(])|^\t+(?:(?:private|protected|public|static|async|override|abstract) )*\*?(#?\w+)(?:<[^>\n]*>)?\([^\n]*\)(?:: [^\n]*)? \{$|\b(?:const|readonly) (\w+) = (?:async )?(?:\([^()]*\)|\w+)(?:: [^=\n]+)? =>/gm;
const keywords = new Set(['if', 'for', 'while', 'switch', 'catch', 'constructor', 'function', 'with', 'it', 'describe']);

const bundle: Record<string, string | { message: string }> = JSON.parse(readEnglishBundle());
const strings = [...Object.values(bundle), ...readManifestStrings().values()].map(each => (typeof each === 'string' ? each : each.message));
const comments = files.flatMap(({ file, text }) =>
	[...text.matchAll(stringOrComment)]
		.filter(({ 1: found, index }) => found && !directive.test(found) && (found.startsWith('/**') || isAtLineStart(text, index)))
		.map(found => `${formatLocation(file, text, found.index)} ${found[0]}`),
);
const firstPlaces = new Map<string, string>();
for (const { file, text } of files) {
	for (const found of blankComments(text).matchAll(functionName)) {
		const name = found[1] ?? found[2] ?? found[3] ?? '';
		if (!keywords.has(name) && !firstPlaces.has(name)) {
			firstPlaces.set(name, formatLocation(file, text, found.index));
		}
	}
}
const names = [...firstPlaces].map(([name, place]) => `${place} ${name}`);

printEntries('Strings', pickEntries(strings, 100));
printEntries('Comments', pickEntries(comments, 60));
printEntries('Function names', pickEntries(names, 60));

/** Replaces comments with spaces, so that positions and lines stay the same. */
function blankComments(text: string): string {
	return text.replace(stringOrComment, (found, captured?: string) => (captured ? found.replace(/\S/g, ' ') : found));
}

function isAtLineStart(text: string, index: number): boolean {
	return text.slice(text.lastIndexOf('\n', index) + 1, index).trim() === '';
}

function formatLocation(file: string, text: string, index: number): string {
	return `${file}:${text.slice(0, index).split('\n').length}`;
}

/** Picks entries with the lowest hashes of seed and position. */
function pickEntries(all: readonly string[], count: number): readonly string[] {
	const computeRank = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest('hex');
	return all
		.map((text, index) => ({ text, rank: computeRank(index) }))
		.sort((a, b) => (a.rank < b.rank ? -1 : 1))
		.slice(0, count)
		.map(({ text }) => text);
}

function printEntries(title: string, entries: readonly string[]): void {
	console.log(`\n# ${title} (seed ${seed})`);
	for (const [index, entry] of entries.entries()) {
		console.log(`${index + 1}. ${entry}`);
	}
}
