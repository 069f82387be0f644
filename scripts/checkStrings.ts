// Fails if a string can't be translated, isn't translated, or has an invalid translation (CONTRIBUTING.md, "A string and its
// translations").
import { formatEnglishBundle, languages, readEnglishBundle, readManifestStrings, readTranslations } from './l10n/bundles.ts';
import { findMissingSingulars } from './l10n/checkPlurals.ts';
import { checkTranslation } from './l10n/checkTranslation.ts';
import { type ExtractedStrings, extractStrings } from './l10n/extractStrings.ts';

const extracted = extractStrings();
const faults = [
	...(extracted.strings.size === 0 ? ['no string was found at all: the check does not work'] : []),
	...extracted.faults.map(({ file, line, message }) => `${file}:${line}: ${message}`),
	...findMissingSingulars(extracted.strings.values()).map(message => `${JSON.stringify(message)} has no singular: add a string with '1'`),
	...checkTranslations(extracted),
];
for (const line of faults) {
	console.error(line);
}
process.exitCode = faults.length > 0 ? 1 : 0;

function checkTranslations({ strings, buttons }: ExtractedStrings): readonly string[] {
	const english = new Map([...strings, ...readManifestStrings()]);
	return [
		...(readEnglishBundle() === formatEnglishBundle(strings) ? [] : ['l10n/bundle.l10n.json is stale: run npm run l10n']),
		...languages.flatMap(language => {
			const translations = readTranslations(language);
			const alike = buttons.filter(keys => new Set(keys.map(key => translations.get(key))).size < new Set(keys).size);
			return [
				...[...english].flatMap(([key, { message }]) =>
					(translations.has(key) ? checkTranslation(language, key, message, translations.get(key)) : ["isn't translated"]).map(
						fault => `${language}: ${JSON.stringify(key)} ${fault}`,
					),
				),
				...[...translations.keys()]
					.filter(key => !english.has(key))
					.map(key => `${language}: ${JSON.stringify(key)} isn't used: run npm run l10n`),
				...alike.map(keys => `${language}: two buttons of one message are alike: ${keys.join(', ')}`),
			];
		}),
	];
}
