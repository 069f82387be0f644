import { TemplateError } from '../templateError.ts';

/** `text` is printed unchanged; `print` and `block` tags start with `open` and end with `close` tokens. */
export interface Token {
	readonly type:
		| 'text'
		| 'openPrint'
		| 'closePrint'
		| 'openBlock'
		| 'closeBlock'
		| 'name'
		| 'string'
		| 'int'
		| 'float'
		| 'operator'
		| 'end';
	readonly value: string;
	/** Start of the token in the template, and the position after its last character. */
	readonly at: number;
	readonly to: number;
}

const inside =
	/\s+|(?<name>[\p{L}_][\p{L}\p{N}\p{M}_]*)|(?<float>(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?[eE][+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+))|(?<int>0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+|[1-9](?:_?\d)*|0(?:_?0)*)|(?<string>'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*")|(?<operator>\/\/|\*\*|==|!=|<=|>=|[-+*/%~[\](){}<>=.:|,;])/uy;

/**
 * Splits a template into tokens like Jinja: `-` next to a delimiter removes adjacent white space, one trailing line break is dropped, and
 * all line breaks become `\n`.
 * @returns the tokens, and the text that their positions refer to
 * @throws {TemplateError} for an unclosed delimiter or an invalid character in an expression
 */
export function readTokens(written: string): { readonly tokens: readonly Token[]; readonly text: string } {
	const text = written.replace(/\r\n|\r/g, '\n').replace(/\n$/, '');
	const tokens: Token[] = [];
	let at = 0;
	/** True if the previous delimiter removes the white space after it. */
	let trims = false;
	const addTextToken = (to: number, trimsEnd: boolean) => {
		let value = text.slice(at, to);
		value = trims ? value.trimStart() : value;
		value = trimsEnd ? value.trimEnd() : value;
		if (value) {
			tokens.push({ type: 'text', value, at, to });
		}
	};
	for (;;) {
		const open = findNextMark(text, at);
		if (open < 0) {
			addTextToken(text.length, false);
			tokens.push({ type: 'end', value: 'the end of the template', at: text.length, to: text.length });
			return { tokens, text };
		}
		addTextToken(open, text[open + 2] === '-');
		const signed = text[open + 2] === '-' || text[open + 2] === '+';
		const from = open + (signed ? 3 : 2);
		const kind = text[open + 1];
		if (kind === '#') {
			const end = text.indexOf('#}', from);
			if (end < 0) {
				throw createErrorAtPosition('Missing end of comment tag', text, open);
			}
			trims = text[end - 1] === '-' && end - 1 >= from;
			at = end + 2;
			continue;
		}
		const raw = kind === '%' ? readRawBlock(text, from) : undefined;
		if (raw) {
			const begun = raw.trimsStart ? raw.content.trimStart() : raw.content;
			const value = raw.trimsEnd ? begun.trimEnd() : begun;
			if (value) {
				tokens.push({ type: 'text', value, at: from, to: raw.to });
			}
			trims = raw.trimsBehind;
			at = raw.to;
			continue;
		}
		({ at, trims } = readTagTokens(text, open, from, kind === '{' ? 'Print' : 'Block', tokens));
	}
}

function findNextMark(text: string, from: number): number {
	for (let at = text.indexOf('{', from); at >= 0; at = text.indexOf('{', at + 1)) {
		if (text[at + 1] === '{' || text[at + 1] === '%' || text[at + 1] === '#') {
			return at;
		}
	}
	return -1;
}

function readRawBlock(text: string, from: number) {
	const begin = /\s*raw\s*([-+]?)%\}/y;
	begin.lastIndex = from;
	const [whole, sign] = begin.exec(text) ?? [];
	if (whole === undefined) {
		return undefined;
	}
	const start = from + whole.length;
	const end = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g;
	end.lastIndex = start;
	const found = end.exec(text);
	if (!found) {
		throw createErrorAtPosition('Missing end of raw directive', text, from);
	}
	return {
		content: text.slice(start, found.index),
		trimsStart: sign === '-',
		trimsEnd: found[1] === '-',
		trimsBehind: found[2] === '-',
		to: end.lastIndex,
	};
}

/** Reads the tokens between two delimiters. Delimiters within brackets don't end the tag. */
function readTagTokens(text: string, open: number, from: number, kind: 'Print' | 'Block', tokens: Token[]): { at: number; trims: boolean } {
	tokens.push({ type: `open${kind}`, value: text.slice(open, from), at: open, to: from });
	const close = kind === 'Print' ? '}}' : '%}';
	const brackets: string[] = [];
	let at = from;
	while (at < text.length) {
		const sign = text[at] === '-' || text[at] === '+' ? 1 : 0;
		if (brackets.length === 0 && text.startsWith(close, at + sign)) {
			const to = at + sign + 2;
			tokens.push({ type: `close${kind}`, value: text.slice(at, to), at, to });
			return { at: to, trims: text[at] === '-' };
		}
		inside.lastIndex = at;
		const match = inside.exec(text);
		if (!match) {
			throw createErrorAtPosition(`unexpected character ${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))}`, text, at);
		}
		const to = at + match[0].length;
		for (const [type, value] of Object.entries(match.groups ?? {})) {
			if (value !== undefined) {
				tokens.push({ type: type as Token['type'], value, at, to });
			}
		}
		if ('([{'.includes(match[0])) {
			brackets.push(match[0]);
		} else if (')]}'.includes(match[0]) && brackets.pop() !== { ')': '(', ']': '[', '}': '{' }[match[0]]) {
			throw createErrorAtPosition(`unexpected '${match[0]}'`, text, at);
		}
		at = to;
	}
	throw createErrorAtPosition(`unexpected end of template, expected '${brackets.length > 0 ? 'the end of a bracket' : close}'`, text, open);
}

export function createErrorAtPosition(message: string, text: string, at: number): TemplateError {
	return new TemplateError(`${message} (line ${getLineAt(text, at)})`, true);
}

export function getLineAt(text: string, at: number): number {
	let line = 1;
	for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) {
		line++;
	}
	return line;
}
