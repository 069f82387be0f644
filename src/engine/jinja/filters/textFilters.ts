import { formatPercent } from '../methods/formatText.ts';
import { defineFunction, defineRestFunction } from '../signature.ts';
import { TemplateError } from '../templateError.ts';
import { requireInteger, requireWidth } from '../values/numbers.ts';
import { toPrintedText } from '../values/printing.ts';
import { Dict, isTruthy, listItems, Tuple, Undefined, type Value } from '../values/values.ts';

/** Filters for strings. Other values are converted as they would be printed. */
export const textFilters = [
	defineFunction('upper', {}, value => toPrintedText(value).toUpperCase(), true),
	defineFunction('lower', {}, value => toPrintedText(value).toLowerCase(), true),
	defineFunction('capitalize', {}, value => capitalizeText(toPrintedText(value)), true),
	defineFunction('title', {}, value => toTitleCase(toPrintedText(value)), true),
	defineFunction('trim', { chars: null }, (value, chars) => stripText(toPrintedText(value), chars as Value), true),
	defineFunction('string', {}, toPrintedText, true),
	defineFunction('safe', {}, toPrintedText, true),
	...['e', 'escape', 'forceescape'].map(name => defineFunction(name, {}, value => escapeHtml(toPrintedText(value)), true)),
	defineFunction('replace', { old: undefined, new: undefined, count: null }, replaceText, true),
	defineRestFunction('format', (value, { positional, named }) =>
		formatPercent(toPrintedText(value), named.size > 0 ? new Dict(named) : Tuple.create(...positional)),
	),
	defineFunction('wordcount', {}, value => (toPrintedText(value).match(/[\p{L}\p{N}_]+/gu) ?? []).length, true),
	defineFunction('truncate', { length: 255, killwords: false, end: '...', leeway: null }, truncateText, true),
	defineFunction('center', { width: 80 }, (value, width) => centerText(toPrintedText(value), requireWidth(width as Value, 'center'))),
	defineFunction('indent', { width: 4, first: false, blank: false }, indentLines),
	defineFunction('wordwrap', { width: 79, break_long_words: true, wrapstring: null, break_on_hyphens: true }, wrapWords),
	defineFunction('striptags', {}, stripTags, true),
	defineFunction('urlencode', {}, encodeUrl, true),
	defineFunction('xmlattr', { autospace: true }, formatXmlAttributes),
] as const;

/** Filters whose result is already safe for HTML and isn't escaped again. */
export const safeFilters: ReadonlySet<string> = new Set(['safe', 'e', 'escape', 'forceescape', 'tojson', 'xmlattr']);

export function escapeHtml(text: string): string {
	const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };
	return text.replace(/[&<>"']/g, character => names[character] as string);
}

export function capitalizeText(text: string): string {
	const [first = '', ...rest] = text;
	return first.toUpperCase() + rest.join('').toLowerCase();
}

/** Capitalizes each word. As in Jinja, a word starts after white space, a hyphen or an opening bracket. */
function toTitleCase(text: string): string {
	return text.replace(/[^-\s({[<]+/gu, capitalizeText);
}

export function stripText(text: string, chars: Value, ends: 'both' | 'start' | 'end' = 'both'): string {
	if (chars === null) {
		const begun = ends === 'end' ? text : text.trimStart();
		return ends === 'start' ? begun : begun.trimEnd();
	}
	const set = new Set(toPrintedText(chars));
	const characters = [...text];
	let from = 0;
	let to = characters.length;
	while (ends !== 'end' && from < to && set.has(characters[from] as string)) {
		from++;
	}
	while (ends !== 'start' && to > from && set.has(characters[to - 1] as string)) {
		to--;
	}
	return characters.slice(from, to).join('');
}

export function centerText(text: string, width: number, fill = ' '): string {
	const missing = Math.max(0, width - [...text].length);
	const left = Math.floor(missing / 2) + (missing % 2 === 1 && width % 2 === 1 ? 1 : 0);
	return fill.repeat(left) + text + fill.repeat(missing - left);
}

function replaceText(value: Value, old?: Value, text?: Value, count?: Value): string {
	const most = count === null || count === undefined ? -1 : requireInteger(count, 'replace');
	return replaceOccurrences(toPrintedText(value), toPrintedText(old as Value), toPrintedText(text as Value), most);
}

/** @param most maximum number of replacements; negative for all */
export function replaceOccurrences(text: string, old: string, other: string, most: number): string {
	if (most < 0) {
		return text.replaceAll(old, () => other);
	}
	const parts = old === '' ? ['', ...text, ''] : text.split(old);
	return parts.slice(0, most + 1).join(other) + (parts.length > most + 1 ? old + parts.slice(most + 1).join(old) : '');
}

function truncateText(value: Value, length?: Value, killwords?: Value, end?: Value, leeway?: Value): string {
	const text = [...toPrintedText(value)];
	const most = requireInteger(length as Value, 'truncate');
	const ending = toPrintedText(end as Value);
	const more = leeway === null ? 5 : requireInteger(leeway as Value, 'truncate');
	if (most < [...ending].length) {
		throw new TemplateError(`truncate: expected length >= ${[...ending].length}, got ${most}`);
	}
	if (text.length <= most + more) {
		return text.join('');
	}
	const cut = text.slice(0, most - [...ending].length).join('');
	const blank = cut.lastIndexOf(' ');
	return (isTruthy(killwords as Value) || blank < 0 ? cut : cut.slice(0, blank)) + ending;
}

function indentLines(value: Value, width?: Value, first?: Value, blank?: Value): string {
	const by = typeof width === 'string' ? width : ' '.repeat(requireWidth(width as Value, 'indent'));
	const lines = toPrintedText(value).split('\n');
	// the first line is indented even if it is empty
	return lines
		.map((line, index) =>
			index === 0 ? (isTruthy(first as Value) ? by + line : line) : line || isTruthy(blank as Value) ? by + line : line,
		)
		.join('\n');
}

function wrapWords(value: Value, width?: Value, _breaksLong?: Value, lineBreak?: Value): string {
	const most = Math.max(1, requireInteger(width as Value, 'wordwrap'));
	const between = lineBreak === null ? '\n' : toPrintedText(lineBreak as Value);
	const pieces: string[] = [];
	for (const [index, line] of toPrintedText(value).split('\n').entries()) {
		if (index > 0) {
			pieces.push(between);
		}
		let column = 0;
		for (const word of line.split(' ')) {
			// at column 0 the line is empty, so no space or line break is needed before the word
			if (column > 0) {
				const fits = column + 1 + word.length <= most;
				pieces.push(fits ? ' ' : between);
				column = fits ? column + 1 : 0;
			}
			pieces.push(word);
			column += word.length;
		}
	}
	return pieces.join('');
}

function stripTags(value: Value): string {
	const text = removeComments(toPrintedText(value))
		.replace(/<[^<>]*>/g, '')
		.replace(/\s+/g, ' ')
		.trim();
	return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp));/g, (_, decimal, hex, name) =>
		name === undefined ? decodeCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) : (entities[name] as string),
	);
}

/** The entities that `striptags` replaces by name. */
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

function decodeCodePoint(code: number): string {
	return code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code);
}

/** Removes HTML comments. An unterminated comment is treated as text. */
function removeComments(text: string): string {
	let kept = '';
	let from = 0;
	for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', from)) {
		const end = text.indexOf('-->', at + 4);
		if (end < 0) {
			break;
		}
		kept += text.slice(from, at);
		from = end + 3;
	}
	return kept + text.slice(from);
}

function encodeUrl(value: Value): string {
	if (typeof value === 'string' || (!Array.isArray(value) && !(value instanceof Dict))) {
		return percentEncodeText(toPrintedText(value), true);
	}
	const pairs = value instanceof Dict ? [...value] : value.map(pair => listItems(pair));
	return pairs.map(([key, item]) => `${encodeFormValue(key as Value)}=${encodeFormValue(item as Value)}`).join('&');
}

function encodeFormValue(value: Value): string {
	return percentEncodeText(toPrintedText(value), false).replaceAll('%20', '+');
}

function percentEncodeText(text: string, keepsSlash: boolean): string {
	const encoded = encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
	return keepsSlash ? encoded.replaceAll('%2F', '/') : encoded;
}

function formatXmlAttributes(value: Value, autospace?: Value): string {
	const entries = value instanceof Dict ? [...value] : [];
	const text = entries
		.filter(([, item]) => item !== null && !(item instanceof Undefined))
		.map(([key, item]) => `${escapeHtml(toPrintedText(key))}="${escapeHtml(toPrintedText(item))}"`)
		.join(' ');
	return text && isTruthy(autospace as Value) ? ` ${text}` : text;
}
