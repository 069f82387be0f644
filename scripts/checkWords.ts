// Fails if phrases of this project's former dialect return to code, tests and docs (CONTRIBUTING.md, "How we write"). `words.json` has, for
// each phrase, its count before the plain-words pass (`baseline`) and the highest count that passes (`limit`).
import fs from 'node:fs';
import path from 'node:path';
import { root } from './lib/paths.ts';

export type WordLimits = Readonly<Record<string, { readonly baseline: number; readonly limit: number }>>;

const limitsFile = 'scripts/words.json';
const sources = ['{src,test,scripts,media,docs}/**/*.*', 'README.md', 'CONTRIBUTING.md', 'package.nls.json'];
/** Files that aren't checked: pictures, this check, and recorded data, whose texts are part of the recordings. */
const exclude = ['**/node_modules/**', '**/*.{png,gif}', 'test/fixtures/**/*.{json,yml,jsonl}', limitsFile, '**/checkWords*.ts'];

const patterns: Readonly<Record<string, RegExp>> = {
	'is no ': /(?<!there )\bis no /gi,
	told: /\btold\b/gi,
	anew: /\banew\b/gi,
	'what stands': /what stands/gi,
	'goes on': /\bgoes on\b/gi,
	whoever: /\bwhoever\b/gi,
	'of its own': /\bof its own\b/gi,
	'What (first word of a comment)': /(?:\/\/|\*)\s+What /g,
};

/** Returns a line for each phrase above its limit, followed by its hits as `file:line`; empty if there are none. */
export function findExcessWords(folder: string, limits: WordLimits): readonly string[] {
	const hits = new Map(Object.keys(patterns).map(phrase => [phrase, [] as string[]]));
	for (const file of fs.globSync(sources, { cwd: folder, exclude }).sort()) {
		const text = fs.readFileSync(path.join(folder, file), 'utf8');
		for (const [phrase, pattern] of Object.entries(patterns)) {
			for (const { index } of text.matchAll(pattern)) {
				hits.get(phrase)?.push(`${file.replaceAll(path.sep, '/')}:${text.slice(0, index).split('\n').length}`);
			}
		}
	}
	return [...hits].flatMap(([phrase, places]) => {
		const limit = limits[phrase]?.limit ?? 0;
		return places.length > limit ? [`'${phrase}': ${places.length} times, limit ${limit}`, ...places.map(place => `\t${place}`)] : [];
	});
}

if (import.meta.main) {
	const limits = JSON.parse(fs.readFileSync(path.join(root, limitsFile), 'utf8')) as WordLimits;
	const lines = findExcessWords(root, limits);
	for (const line of lines) {
		console.error(line);
	}
	process.exitCode = lines.length > 0 ? 1 : 0;
}
