import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib/paths.ts';
import type { ExtractedString } from './extractStrings.ts';

/** Languages besides English, by their names in VS Code. */
export const languages = ['zh-cn', 'ja'] as const;
export type Language = (typeof languages)[number];

/** English strings by key. A manifest string has the same key as in package.nls.json, between percent signs: `%command.graph.open%`. */
export type EnglishStrings = ReadonlyMap<string, ExtractedString>;
/** Translated strings by the same keys. */
export type Translations = ReadonlyMap<string, string>;

type Json = Readonly<Record<string, string | { readonly message: string; readonly comment?: readonly string[] }>>;

const englishBundle = 'l10n/bundle.l10n.json';
const getBundleFile = (language: string) => `l10n/bundle.l10n.${language}.json`;
const getManifestFile = (language: string) => `package.nls.${language}.json`;

export function readManifestStrings(): EnglishStrings {
	return new Map(
		Object.entries(readJson('package.nls.json')).map(([key, value]) => {
			const { message, comment = [] } = typeof value === 'string' ? { message: value } : value;
			return [`%${key}%`, { message, comment, files: ['package.nls.json'] }];
		}),
	);
}

/** Returns the content of l10n/bundle.l10n.json for the strings of the code. */
export function formatEnglishBundle(strings: EnglishStrings): string {
	return formatJson(sortByKey(strings).map(([key, { message, comment }]) => [key, comment.length > 0 ? { message, comment } : message]));
}

/** Reads the committed l10n/bundle.l10n.json; empty if there is none. */
export function readEnglishBundle(): string {
	return readText(englishBundle);
}

export function writeEnglishBundle(strings: EnglishStrings): void {
	writeText(englishBundle, formatEnglishBundle(strings));
}

/** Reads both files of a language. Values that aren't strings are returned unchanged, for the check. */
export function readTranslations(language: string): Translations {
	const readStringFile = (file: string) => Object.entries(readText(file) === '' ? {} : readJson(file)) as [string, string][];
	return new Map([
		...readStringFile(getBundleFile(language)),
		...readStringFile(getManifestFile(language)).map(([key, value]) => [`%${key}%`, value] as const),
	]);
}

/** Writes both files of a language, with the translations of strings in `english`. */
export function writeTranslations(language: string, english: EnglishStrings, translations: Translations): void {
	const known = [...english.keys()].flatMap(key => (translations.has(key) ? [[key, translations.get(key)!] as const] : []));
	const isManifestKey = ([key]: readonly [string, string]) => /^%[^%\s]+%$/.test(key);
	writeText(getBundleFile(language), formatJson(sortByKey(new Map(known.filter(entry => !isManifestKey(entry))))));
	writeText(getManifestFile(language), formatJson(known.filter(isManifestKey).map(([key, value]) => [key.slice(1, -1), value])));
}

function sortByKey<T>(strings: ReadonlyMap<string, T>): [string, T][] {
	return [...strings].sort(([a], [b]) => (a < b ? -1 : 1));
}

function formatJson(entries: readonly (readonly [string, unknown])[]): string {
	return `${JSON.stringify(Object.fromEntries(entries), undefined, '\t')}\n`;
}

function readJson(file: string): Json {
	return JSON.parse(readText(file));
}

function readText(file: string): string {
	const full = path.join(root, file);
	return fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : '';
}

function writeText(file: string, text: string): void {
	fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
	fs.writeFileSync(path.join(root, file), text);
}
