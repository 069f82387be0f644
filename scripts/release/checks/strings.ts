import fs from 'node:fs';
import path from 'node:path';
import { type PackedFiles, type Release, readPackedText } from '../release.ts';

type Strings = Readonly<Record<string, string | { message: string }>>;

/** Check 6: the packed strings of each language are complete, and have the placeholders of the English ones. */
export function checkPackedStrings({ folder, extension }: Release): string[] {
	const exported = JSON.parse(fs.readFileSync(path.join(folder, 'l10n/bundle.l10n.json'), 'utf8')) as Strings;
	const languages = [...extension.keys()].flatMap(name => /^package\.nls\.(.+)\.json$/.exec(name)?.[1] ?? []);
	const english = parseStrings(extension, 'package.nls.json');
	return [
		...(languages.length > 0 ? [] : ['the package has no strings in other languages']),
		...findUndefinedKeys(readPackedText(extension, 'package.json'), english),
		...languages.flatMap(language => {
			const [manifestFile, bundleFile] = [`package.nls.${language}.json`, `l10n/bundle.l10n.${language}.json`];
			return [
				...compareStrings(manifestFile, english, parseStrings(extension, manifestFile)),
				...compareStrings(bundleFile, exported, parseStrings(extension, bundleFile)),
			];
		}),
	];
}

/** Returns `%key%`s of a manifest that package.nls.json doesn't define. */
export function findUndefinedKeys(manifest: string, english: Strings): string[] {
	const keys = new Set([...manifest.matchAll(/"%([^%"\s]+)%"/g)].map(([, key]) => key!));
	return [...keys].filter(key => !(key in english)).map(key => `package.nls.json doesn't define %${key}%`);
}

/** Returns keys that a language lacks or has too many, and strings with other placeholders. */
export function compareStrings(file: string, english: Strings, translated: Strings): string[] {
	const listPlaceholders = (value: Strings[string] = ''): string =>
		[...new Set(getMessage(value).match(/(?<!\{)\{\w+\}(?!\})/g))].sort().join();
	return [
		...Object.keys(english)
			.filter(key => !(key in translated))
			.map(key => `${file} has no '${key}'`),
		...Object.keys(translated)
			.filter(key => !(key in english))
			.map(key => `${file} has '${key}', which isn't used`),
		...Object.entries(translated)
			.filter(([key, value]) => key in english && listPlaceholders(value) !== listPlaceholders(english[key]))
			.map(([key]) => `${file} has other placeholders in '${key}'`),
	];
}

const getMessage = (value: Strings[string]): string => (typeof value === 'string' ? value : value.message);

const parseStrings = (files: PackedFiles, name: string): Strings => JSON.parse(readPackedText(files, name) || '{}') as Strings;
