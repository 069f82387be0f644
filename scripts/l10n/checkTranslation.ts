import type { Language } from './bundles.ts';
import exceptions from './exceptions.json' with { type: 'json' };
import { names, terms } from './terms.ts';

/**
 * Exceptions by the key of a string: translations that may equal the English string (`same`), and terms that a translation may lack. A term
 * is identified by its pattern in terms.ts.
 */
interface Exceptions {
	readonly same: readonly string[];
	readonly terms: Readonly<Record<string, readonly string[]>>;
}

/** Returns one sentence for each rule that a translation breaks (CONTRIBUTING.md, "A string and its translations"). */
export function checkTranslation(language: Language, key: string, english: string, translation: unknown): readonly string[] {
	if (typeof translation !== 'string') {
		return ["isn't a string"];
	}
	if (translation.trim() === '') {
		return ['is empty'];
	}
	const allowed: Exceptions = exceptions[language];
	return [
		...checkMarks(english, translation),
		...(translation === english ? checkUntranslated(key, english, allowed) : checkStyle(language, translation)),
		...(translation === english ? [] : checkTerms(language, english, translation, allowed.terms[key] ?? [])),
	];
}

/** Marks that a translation must share with the English string, in any order, except that an ellipsis stays at the end. */
const marks: readonly (readonly [name: string, pattern: RegExp])[] = [
	['placeholders', /(?<!\{)\{\w+\}(?!\})/g],
	['text in backticks', /`[^`]*`/g],
	['links', /\]\([^)]*\)/g],
	['icons', /\$\([\w~-]+\)/g],
	['line breaks', /\n/g],
	['an ellipsis at the end', /…$/g],
];

function checkMarks(english: string, translation: string): string[] {
	return marks.flatMap(([name, pattern]) => {
		const [wanted, found] = [english, translation].map(text => [...text.matchAll(pattern)].map(([match]) => match).sort());
		// a placeholder may be used twice
		const isEqual =
			name === 'placeholders'
				? String([...new Set(wanted)]) === String([...new Set(found)])
				: JSON.stringify(wanted) === JSON.stringify(found);
		return isEqual ? [] : [`differs in ${name}: ${JSON.stringify(wanted)} in English, ${JSON.stringify(found)} here`];
	});
}

const anyName = new RegExp(`\\b(?:${names.join('|')})\\b`, 'g');

/** Removes the parts that aren't translated: placeholders, code, link targets, icons, files of the package. */
function removeUntranslatedParts(text: string): string {
	return text.replace(
		/(?<!\{)\{\w+\}(?!\})|\{\{#[^}]*#\}\}|'[\w-]*[_-][\w-]*'|\b[a-z]\w*(?:[-_]\w+)+|`[^`]*`|\]\([^)]*\)|\$\([\w~-]+\)|^media\/\S+$/g,
		' ',
	);
}

function checkUntranslated(key: string, english: string, { same }: Exceptions): string[] {
	const isTranslatable = /[A-Za-z]{2}/.test(removeUntranslatedParts(english).replace(anyName, ''));
	return isTranslatable && !same.includes(key)
		? ['is the same as in English. If it has to be, add it to scripts/l10n/exceptions.json.']
		: [];
}

/** Names of keys that English sentences use like other words. */
const keyNames = [/(?<!Page )\b(?:Left|Right|Up|Down)\b/u, 'translate the name of the key'] as const;

const style: Readonly<Record<Language, readonly (readonly [pattern: RegExp, rule: string])[]>> = {
	'zh-cn': [
		[/[\u4e00-\u9fff][A-Za-z0-9{]|[A-Za-z0-9}][\u4e00-\u9fff]/u, 'no space between Chinese and Latin letters, digits or placeholders'],
		[/[：？！（）［］]/u, 'full-width punctuation: use : ? ! ( ) [ ]'],
		[/[「」]|'\{\w+\}'/u, 'names are quoted by “…”'],
		[/ [，。；、“”]|[，。；、] (?!\n)|“ | ”/u, 'a space next to ，。；、“”'],
		[/[\u4e00-\u9fff”] \(|\) [\u4e00-\u9fff“]/u, 'a space next to ( or )'],
		[/[\u4e00-\u9fff”)],(?=[\u4e00-\u9fff“])/u, 'half-width comma: use ，'],
		[/您/u, 'use 你, or no pronoun'],
		keyNames,
		[/[\u3040-\u30ff]/u, 'has kana'],
	],
	ja: [
		[
			/[\u3040-\u30ff\u4e00-\u9fff々][A-Za-z0-9{]|[A-Za-z0-9}][\u3040-\u30ff\u4e00-\u9fff々]/u,
			'no space between Japanese and Latin letters, digits or placeholders',
		],
		[/[：？！（）［］]/u, 'full-width punctuation: use : ? ! ( ) [ ]'],
		[/[「」“”]/u, "names are quoted by '…'"],
		keyNames,
		[/サーバ(?!ー)|ユーザ(?!ー|ビ)|フォルダ(?!ー)/u, 'サーバー, ユーザー and フォルダー end in ー'],
	],
};

function checkStyle(language: Language, translation: string): string[] {
	const text = translation.replace(/`[^`]*`|\]\([^)]*\)|\$\([\w~-]+\)/g, match => (match.startsWith(']') ? ']' : '`'));
	return style[language].flatMap(([pattern, rule]) => {
		const found = pattern.exec(text)?.[0];
		return found === undefined ? [] : [`${rule} ('${found}')`];
	});
}

function checkTerms(language: Language, english: string, translation: string, allowed: readonly string[]): string[] {
	let rest = removeUntranslatedParts(english).replace(anyName, ' ');
	return terms.flatMap(([term, chinese, japanese]) => {
		const pattern = new RegExp(`\\b(?:${term})\\b`, 'gi');
		if (!pattern.test(rest)) {
			return [];
		}
		rest = rest.replace(pattern, ' ');
		const words = language === 'ja' ? japanese : chinese;
		return allowed.includes(term) || words.split('|').some(word => translation.includes(word))
			? []
			: [`has no '${words}' for '${term}'. If that is right, add it to scripts/l10n/exceptions.json.`];
	});
}
