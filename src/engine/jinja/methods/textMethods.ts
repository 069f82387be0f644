import { capitalizeText, centerText, replaceOccurrences, stripText } from '../filters/textFilters.ts';
import { type Applied, defineFunction, defineRestFunction } from '../signature.ts';
import { TemplateError } from '../templateError.ts';
import { requireInteger, requireWidth } from '../values/numbers.ts';
import { getTypeName, isTruthy, listItems, Tuple, Undefined, type Value } from '../values/values.ts';
import { formatBraces } from './formatText.ts';

const none = null;
/** A range within a string, as accepted by `find`, `count` and `startswith`. */
const range = { start: none, end: none };

/** Methods of Python's strings. Positions count code points. */
export const textMethods: ReadonlyMap<string, Applied<string>> = new Map<string, Applied<string>>([
	defineFunction('upper', {}, text => text.toUpperCase(), true),
	defineFunction('lower', {}, text => text.toLowerCase(), true),
	defineFunction('casefold', {}, text => text.toLowerCase(), true),
	defineFunction('capitalize', {}, capitalizeText, true),
	defineFunction('title', {}, text => text.replace(/\p{L}+/gu, capitalizeText), true),
	defineFunction('swapcase', {}, text => [...text].map(c => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('')),
	defineFunction('strip', { chars: none }, (text: string, chars) => stripText(text, chars as Value), true),
	defineFunction('lstrip', { chars: none }, (text: string, chars) => stripText(text, chars as Value, 'start'), true),
	defineFunction('rstrip', { chars: none }, (text: string, chars) => stripText(text, chars as Value, 'end'), true),
	defineFunction(
		'split',
		{ sep: none, maxsplit: -1 },
		(text: string, sep, most) => splitText(text, sep as Value, requireInteger(most as Value, 'split')),
		true,
	),
	defineFunction(
		'rsplit',
		{ sep: none, maxsplit: -1 },
		(text: string, sep, most) => splitTextFromRight(text, sep as Value, requireInteger(most as Value, 'rsplit')),
		true,
	),
	defineFunction('splitlines', { keepends: false }, (text: string, keeps) => splitLines(text, isTruthy(keeps as Value))),
	defineFunction('join', { iterable: undefined }, joinTexts),
	defineFunction('replace', { old: undefined, new: undefined, count: -1 }, replaceInText, true),
	defineFunction(
		'startswith',
		{ prefix: undefined, ...range },
		(text: string, part, ...at) => isAnyPartMatching(part as Value, each => sliceRange(text, at).startsWith(each)),
		true,
	),
	defineFunction(
		'endswith',
		{ suffix: undefined, ...range },
		(text: string, part, ...at) => isAnyPartMatching(part as Value, each => sliceRange(text, at).endsWith(each)),
		true,
	),
	defineFunction('find', { sub: undefined, ...range }, (text: string, part, ...at) => findPosition(text, part as Value, at, 'indexOf')),
	defineFunction('rfind', { sub: undefined, ...range }, (text: string, part, ...at) =>
		findPosition(text, part as Value, at, 'lastIndexOf'),
	),
	defineFunction('index', { sub: undefined, ...range }, (text: string, part, ...at) =>
		requirePosition(findPosition(text, part as Value, at, 'indexOf')),
	),
	defineFunction('rindex', { sub: undefined, ...range }, (text: string, part, ...at) =>
		requirePosition(findPosition(text, part as Value, at, 'lastIndexOf')),
	),
	defineFunction('count', { sub: undefined, ...range }, (text: string, part, ...at) =>
		countOccurrences(sliceRange(text, at), requireString(part as Value)),
	),
	defineFunction('zfill', { width: undefined }, (text: string, width) => padZeros(text, requireWidth(width as Value, 'zfill'))),
	defineFunction('ljust', { width: undefined, fillchar: ' ' }, (text: string, ...rest) => text + createFiller(text, rest)),
	defineFunction('rjust', { width: undefined, fillchar: ' ' }, (text: string, ...rest) => createFiller(text, rest) + text),
	defineFunction('center', { width: undefined, fillchar: ' ' }, (text: string, width, fill) =>
		centerText(text, requireWidth(width as Value, 'center'), requireString(fill as Value)),
	),
	defineFunction('removeprefix', { prefix: undefined }, (text: string, part) =>
		text.startsWith(requireString(part as Value)) ? text.slice(requireString(part as Value).length) : text,
	),
	defineFunction('removesuffix', { suffix: undefined }, (text: string, part) =>
		text.endsWith(requireString(part as Value)) ? text.slice(0, text.length - requireString(part as Value).length) : text,
	),
	defineFunction('partition', { sep: undefined }, (text: string, sep) =>
		partitionText(text, requireString(sep as Value), text.indexOf(requireString(sep as Value)), [text, '', '']),
	),
	defineFunction('rpartition', { sep: undefined }, (text: string, sep) =>
		partitionText(text, requireString(sep as Value), text.lastIndexOf(requireString(sep as Value)), ['', '', text]),
	),
	defineFunction('expandtabs', { tabsize: 8 }, (text: string, size) =>
		text.replaceAll('\t', ' '.repeat(requireWidth(size as Value, 'expandtabs') % 100)),
	),
	defineFunction('isdigit', {}, text => /^\p{Nd}+$/u.test(text)),
	defineFunction('isdecimal', {}, text => /^\p{Nd}+$/u.test(text)),
	defineFunction('isnumeric', {}, text => /^\p{N}+$/u.test(text)),
	defineFunction('isalpha', {}, text => /^\p{L}+$/u.test(text)),
	defineFunction('isalnum', {}, text => /^[\p{L}\p{N}]+$/u.test(text)),
	defineFunction('isspace', {}, text => /^\s+$/u.test(text)),
	defineFunction('isidentifier', {}, text => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(text)),
	defineFunction('istitle', {}, text => /\p{L}/u.test(text) && text === text.replace(/\p{L}+/gu, capitalizeText)),
	defineFunction('isupper', {}, text => text === text.toUpperCase() && text !== text.toLowerCase()),
	defineFunction('islower', {}, text => text === text.toLowerCase() && text !== text.toUpperCase()),
	defineRestFunction('format', formatBraces),
]);

function requireString(value: Value): string {
	if (typeof value !== 'string') {
		throw new TemplateError(
			`expected a string, not '${value instanceof Undefined && value.name ? `${value.name}' (undefined)` : `${getTypeName(value)}'`}`,
		);
	}
	return value;
}

function splitText(text: string, separator: Value, most: number): Value {
	if (separator === null) {
		const words = text.trim() === '' ? [] : text.trim().split(/\s+/);
		if (most < 0 || words.length <= most + 1) {
			return words;
		}
		const rest = [...text.matchAll(/\S+/g)][most]?.index;
		return [...words.slice(0, most), text.slice(rest)];
	}
	const between = requireString(separator);
	if (between === '') {
		throw new TemplateError('empty separator');
	}
	const parts = text.split(between);
	return most < 0 || parts.length <= most + 1 ? parts : [...parts.slice(0, most), parts.slice(most).join(between)];
}

function splitTextFromRight(text: string, separator: Value, most: number): Value {
	const parts = splitText(text, separator, -1) as string[];
	if (most < 0 || parts.length <= most + 1) {
		return parts;
	}
	const head = parts.slice(0, parts.length - most).join(separator === null ? ' ' : requireString(separator));
	return [head, ...parts.slice(parts.length - most)];
}

function splitLines(text: string, keepsEnds: boolean): Value {
	// alternating: a line's text, then its line break
	const parts = text.split(/(\r\n|\r|\n)/);
	const all: string[] = [];
	for (let at = 0; at < parts.length; at += 2) {
		all.push((parts[at] ?? '') + (keepsEnds ? (parts[at + 1] ?? '') : ''));
	}
	return parts.at(-1) === '' ? all.slice(0, -1) : all;
}

function joinTexts(between: string, items?: Value): string {
	return listItems(items as Value)
		.map((item, index) => {
			if (typeof item !== 'string') {
				throw new TemplateError(`sequence item ${index}: expected str instance, ${getTypeName(item)} found`);
			}
			return item;
		})
		.join(between);
}

function replaceInText(text: string, old?: Value, other?: Value, count?: Value): string {
	return replaceOccurrences(text, requireString(old as Value), requireString(other as Value), requireInteger(count as Value, 'replace'));
}

function isAnyPartMatching(part: Value, holds: (each: string) => boolean): boolean {
	return part instanceof Tuple ? part.some(each => holds(requireString(each))) : holds(requireString(part));
}

function sliceRange(text: string, [start, end]: readonly Value[]): string {
	const toPosition = (value: Value | undefined) =>
		value === null || value === undefined ? undefined : requireInteger(value, 'a position');
	return start === null && end === null ? text : [...text].slice(toPosition(start) ?? 0, toPosition(end)).join('');
}

function findPosition(text: string, part: Value, range: readonly Value[], way: 'indexOf' | 'lastIndexOf'): number {
	const [start] = range;
	const inside = sliceRange(text, range);
	const at = inside[way](requireString(part));
	const from = start === null || start === undefined ? 0 : requireInteger(start, 'a position');
	return at < 0 ? -1 : [...inside.slice(0, at)].length + (from < 0 ? Math.max(0, [...text].length + from) : from);
}

function requirePosition(at: number): number {
	if (at < 0) {
		throw new TemplateError('substring not found');
	}
	return at;
}

function countOccurrences(text: string, part: string): number {
	return part === '' ? [...text].length + 1 : text.split(part).length - 1;
}

function padZeros(text: string, width: number): string {
	const [, sign = '', rest = ''] = /^([-+]?)([\s\S]*)$/.exec(text) ?? [];
	return sign + '0'.repeat(Math.max(0, width - [...text].length)) + rest;
}

function createFiller(text: string, [width, fill]: readonly Value[]): string {
	return requireString(fill as Value).repeat(Math.max(0, requireWidth(width as Value, 'a width') - [...text].length));
}

function partitionText(text: string, separator: string, at: number, otherwise: readonly string[]): Value {
	return at < 0 ? Tuple.create(...otherwise) : Tuple.create(text.slice(0, at), separator, text.slice(at + separator.length));
}
