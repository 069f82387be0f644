import { capitalized, centered, replaceSome, stripped } from '../filters/textFilters.ts';
import { type Applied, applied, appliedToAll } from '../signature.ts';
import { TemplateError } from '../templateError.ts';
import { intOf, widthOf } from '../values/numbers.ts';
import { isTrue, itemsOf, Tuple, typeName, Undefined, type Value } from '../values/values.ts';
import { formatBraces } from './formatText.ts';

const none = null;
/** A range within a string, as accepted by `find`, `count` and `startswith`. */
const range = { start: none, end: none };

/** Methods of Python's strings. Positions count code points. */
export const textMethods: ReadonlyMap<string, Applied<string>> = new Map<string, Applied<string>>([
	applied('upper', {}, text => text.toUpperCase(), true),
	applied('lower', {}, text => text.toLowerCase(), true),
	applied('casefold', {}, text => text.toLowerCase(), true),
	applied('capitalize', {}, capitalized, true),
	applied('title', {}, text => text.replace(/\p{L}+/gu, capitalized), true),
	applied('swapcase', {}, text => [...text].map(c => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('')),
	applied('strip', { chars: none }, (text: string, chars) => stripped(text, chars as Value), true),
	applied('lstrip', { chars: none }, (text: string, chars) => stripped(text, chars as Value, 'start'), true),
	applied('rstrip', { chars: none }, (text: string, chars) => stripped(text, chars as Value, 'end'), true),
	applied(
		'split',
		{ sep: none, maxsplit: -1 },
		(text: string, sep, most) => split(text, sep as Value, intOf(most as Value, 'split')),
		true,
	),
	applied(
		'rsplit',
		{ sep: none, maxsplit: -1 },
		(text: string, sep, most) => rightSplit(text, sep as Value, intOf(most as Value, 'rsplit')),
		true,
	),
	applied('splitlines', { keepends: false }, (text: string, keeps) => lines(text, isTrue(keeps as Value))),
	applied('join', { iterable: undefined }, join),
	applied('replace', { old: undefined, new: undefined, count: -1 }, replaceIn, true),
	applied(
		'startswith',
		{ prefix: undefined, ...range },
		(text: string, part, ...at) => anyOf(part as Value, each => within(text, at).startsWith(each)),
		true,
	),
	applied(
		'endswith',
		{ suffix: undefined, ...range },
		(text: string, part, ...at) => anyOf(part as Value, each => within(text, at).endsWith(each)),
		true,
	),
	applied('find', { sub: undefined, ...range }, (text: string, part, ...at) => position(text, part as Value, at, 'indexOf')),
	applied('rfind', { sub: undefined, ...range }, (text: string, part, ...at) => position(text, part as Value, at, 'lastIndexOf')),
	applied('index', { sub: undefined, ...range }, (text: string, part, ...at) => found(position(text, part as Value, at, 'indexOf'))),
	applied('rindex', { sub: undefined, ...range }, (text: string, part, ...at) => found(position(text, part as Value, at, 'lastIndexOf'))),
	applied('count', { sub: undefined, ...range }, (text: string, part, ...at) => counted(within(text, at), textOf(part as Value))),
	applied('zfill', { width: undefined }, (text: string, width) => zeroFilled(text, widthOf(width as Value, 'zfill'))),
	applied('ljust', { width: undefined, fillchar: ' ' }, (text: string, ...rest) => text + filler(text, rest)),
	applied('rjust', { width: undefined, fillchar: ' ' }, (text: string, ...rest) => filler(text, rest) + text),
	applied('center', { width: undefined, fillchar: ' ' }, (text: string, width, fill) =>
		centered(text, widthOf(width as Value, 'center'), textOf(fill as Value)),
	),
	applied('removeprefix', { prefix: undefined }, (text: string, part) =>
		text.startsWith(textOf(part as Value)) ? text.slice(textOf(part as Value).length) : text,
	),
	applied('removesuffix', { suffix: undefined }, (text: string, part) =>
		text.endsWith(textOf(part as Value)) ? text.slice(0, text.length - textOf(part as Value).length) : text,
	),
	applied('partition', { sep: undefined }, (text: string, sep) =>
		cutAt(text, textOf(sep as Value), text.indexOf(textOf(sep as Value)), [text, '', '']),
	),
	applied('rpartition', { sep: undefined }, (text: string, sep) =>
		cutAt(text, textOf(sep as Value), text.lastIndexOf(textOf(sep as Value)), ['', '', text]),
	),
	applied('expandtabs', { tabsize: 8 }, (text: string, size) =>
		text.replaceAll('\t', ' '.repeat(widthOf(size as Value, 'expandtabs') % 100)),
	),
	applied('isdigit', {}, text => /^\p{Nd}+$/u.test(text)),
	applied('isdecimal', {}, text => /^\p{Nd}+$/u.test(text)),
	applied('isnumeric', {}, text => /^\p{N}+$/u.test(text)),
	applied('isalpha', {}, text => /^\p{L}+$/u.test(text)),
	applied('isalnum', {}, text => /^[\p{L}\p{N}]+$/u.test(text)),
	applied('isspace', {}, text => /^\s+$/u.test(text)),
	applied('isidentifier', {}, text => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(text)),
	applied('istitle', {}, text => /\p{L}/u.test(text) && text === text.replace(/\p{L}+/gu, capitalized)),
	applied('isupper', {}, text => text === text.toUpperCase() && text !== text.toLowerCase()),
	applied('islower', {}, text => text === text.toLowerCase() && text !== text.toUpperCase()),
	appliedToAll('format', formatBraces),
]);

function textOf(value: Value): string {
	if (typeof value !== 'string') {
		throw new TemplateError(
			`expected a string, not '${value instanceof Undefined && value.name ? `${value.name}' (undefined)` : `${typeName(value)}'`}`,
		);
	}
	return value;
}

function split(text: string, separator: Value, most: number): Value {
	if (separator === null) {
		const words = text.trim() === '' ? [] : text.trim().split(/\s+/);
		if (most < 0 || words.length <= most + 1) {
			return words;
		}
		const rest = [...text.matchAll(/\S+/g)][most]?.index;
		return [...words.slice(0, most), text.slice(rest)];
	}
	const between = textOf(separator);
	if (between === '') {
		throw new TemplateError('empty separator');
	}
	const parts = text.split(between);
	return most < 0 || parts.length <= most + 1 ? parts : [...parts.slice(0, most), parts.slice(most).join(between)];
}

function rightSplit(text: string, separator: Value, most: number): Value {
	const parts = split(text, separator, -1) as string[];
	if (most < 0 || parts.length <= most + 1) {
		return parts;
	}
	const head = parts.slice(0, parts.length - most).join(separator === null ? ' ' : textOf(separator));
	return [head, ...parts.slice(parts.length - most)];
}

function lines(text: string, keepsEnds: boolean): Value {
	// alternating: a line's text, then its line break
	const parts = text.split(/(\r\n|\r|\n)/);
	const all: string[] = [];
	for (let at = 0; at < parts.length; at += 2) {
		all.push((parts[at] ?? '') + (keepsEnds ? (parts[at + 1] ?? '') : ''));
	}
	return parts.at(-1) === '' ? all.slice(0, -1) : all;
}

function join(between: string, items?: Value): string {
	return itemsOf(items as Value)
		.map((item, index) => {
			if (typeof item !== 'string') {
				throw new TemplateError(`sequence item ${index}: expected str instance, ${typeName(item)} found`);
			}
			return item;
		})
		.join(between);
}

function replaceIn(text: string, old?: Value, other?: Value, count?: Value): string {
	return replaceSome(text, textOf(old as Value), textOf(other as Value), intOf(count as Value, 'replace'));
}

function anyOf(part: Value, holds: (each: string) => boolean): boolean {
	return part instanceof Tuple ? part.some(each => holds(textOf(each))) : holds(textOf(part));
}

function within(text: string, [start, end]: readonly Value[]): string {
	const at = (value: Value | undefined) => (value === null || value === undefined ? undefined : intOf(value, 'a position'));
	return start === null && end === null ? text : [...text].slice(at(start) ?? 0, at(end)).join('');
}

function position(text: string, part: Value, range: readonly Value[], way: 'indexOf' | 'lastIndexOf'): number {
	const [start] = range;
	const inside = within(text, range);
	const at = inside[way](textOf(part));
	const from = start === null || start === undefined ? 0 : intOf(start, 'a position');
	return at < 0 ? -1 : [...inside.slice(0, at)].length + (from < 0 ? Math.max(0, [...text].length + from) : from);
}

function found(at: number): number {
	if (at < 0) {
		throw new TemplateError('substring not found');
	}
	return at;
}

function counted(text: string, part: string): number {
	return part === '' ? [...text].length + 1 : text.split(part).length - 1;
}

function zeroFilled(text: string, width: number): string {
	const [, sign = '', rest = ''] = /^([-+]?)([\s\S]*)$/.exec(text) ?? [];
	return sign + '0'.repeat(Math.max(0, width - [...text].length)) + rest;
}

function filler(text: string, [width, fill]: readonly Value[]): string {
	return textOf(fill as Value).repeat(Math.max(0, widthOf(width as Value, 'a width') - [...text].length));
}

function cutAt(text: string, separator: string, at: number, otherwise: readonly string[]): Value {
	return at < 0 ? Tuple.of2(...otherwise) : Tuple.of2(text.slice(0, at), separator, text.slice(at + separator.length));
}
