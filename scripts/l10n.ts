// Strings and their translations (CONTRIBUTING.md, "A string and its translations"):
//   node scripts/l10n.ts                          writes l10n/bundle.l10n.json, and drops stale strings from the translations
//   node scripts/l10n.ts --missing zh-cn [2/8]    prints the strings without a translation as JSON, all or one of several parts
//   node scripts/l10n.ts --import zh-cn FILE…     adds translations from JSON files with { key: translation }, and reports those that
//                                                 break a rule
//   node scripts/l10n.ts --pseudo                 writes strings that look translated, as the language qps-ploc (not committed)
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import {
	type EnglishStrings,
	type Language,
	languages,
	readManifestStrings,
	readTranslations,
	writeEnglishBundle,
	writeTranslations,
} from './l10n/bundles.ts';
import { checkTranslation } from './l10n/checkTranslation.ts';
import { extractStrings } from './l10n/extractStrings.ts';
import { toPseudoTranslation } from './l10n/pseudoTranslation.ts';

const { values, positionals } = parseArgs({
	options: { missing: { type: 'string' }, import: { type: 'string' }, pseudo: { type: 'boolean' } },
	allowPositionals: true,
});
const { strings } = extractStrings();
const english: EnglishStrings = new Map([...strings, ...readManifestStrings()]);

if (values.missing !== undefined) {
	printMissingStrings(parseLanguage(values.missing), positionals[0] ?? '1/1');
} else if (values.import !== undefined) {
	importTranslations(parseLanguage(values.import), positionals);
} else if (values.pseudo) {
	writeTranslations('qps-ploc', english, new Map([...english].map(([key, { message }]) => [key, toPseudoTranslation(message)])));
} else {
	writeEnglishBundle(strings);
	for (const language of languages) {
		const known = readTranslations(language);
		writeTranslations(language, english, known);
		const [stale, missing] = [[...known.keys()].filter(key => !english.has(key)), findMissingTranslations(language)];
		console.log(`${language}: ${english.size - missing.length} of ${english.size} strings translated, ${stale.length} stale ones dropped`);
	}
}

function findMissingTranslations(
	language: Language,
): readonly (readonly [string, EnglishStrings extends ReadonlyMap<string, infer T> ? T : never])[] {
	const known = readTranslations(language);
	return [...english].filter(([key]) => !known.has(key));
}

/** @param part for example `2/8`: the second of eight */
function printMissingStrings(language: Language, part: string): void {
	const [index = 1, count = 1] = part.split('/').map(Number);
	// keep strings of one file together, because they explain each other
	const missing = findMissingTranslations(language).toSorted(([, a], [, b]) =>
		a.files[0]! < b.files[0]! ? -1 : a.files[0] === b.files[0] ? 0 : 1,
	);
	const size = Math.ceil(missing.length / count);
	const entries = missing
		.slice((index - 1) * size, index * size)
		.map(([key, { message, comment, files }]) => [key, { message, comment, files }]);
	console.log(JSON.stringify(Object.fromEntries(entries), undefined, '\t'));
}

function importTranslations(language: Language, files: readonly string[]): void {
	const translations = new Map(readTranslations(language));
	for (const file of files) {
		for (const [key, translation] of Object.entries<unknown>(JSON.parse(fs.readFileSync(file, 'utf8')))) {
			const faults = english.has(key)
				? checkTranslation(language, key, english.get(key)!.message, translation)
				: ["isn't a key of a string"];
			for (const fault of faults) {
				console.error(`${file}: ${JSON.stringify(key)} ${fault}`);
				process.exitCode = 1;
			}
			if (typeof translation === 'string' && translation !== '') {
				translations.set(key, translation);
			}
		}
	}
	writeTranslations(language, english, translations);
	console.log(`${language}: ${findMissingTranslations(language).length} of ${english.size} strings aren't translated yet`);
}

function parseLanguage(text: string): Language {
	const language = languages.find(each => each === text);
	if (!language) {
		throw new Error(`'${text}' isn't one of the languages ${languages.join(', ')}.`);
	}
	return language;
}
