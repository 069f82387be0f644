import {
	Composer,
	type Document,
	type DocumentOptions,
	Lexer,
	type LineCounter,
	type ParseOptions,
	Parser,
	type SchemaOptions,
} from 'yaml';
import { isCutToken } from '#base/text/yamlCost.ts';

/** Marks of the lexer that aren't in the text: the start of a document, brackets ended by indentation, and the start of a scalar. */
const [documentStart, bracketsEnd, scalarStart] = ['\u0002', '\u0018', '\u001f'];
/** Maximum number of tokens, including spaces and line breaks. A file within its limits has fewer. */
const mostTokens = 1_000_000;
/** Only white space or a comment can follow a multiline value on its last line, because such a value can't be a key. */
const restOfLine = /[ \t]*(?:\r?\n|$|[ \t]#)/y;

/** Parses the tokens of a text; `undefined` if they aren't a single valid document. */
export function readTokens(
	tokens: readonly string[],
	options: ParseOptions & DocumentOptions & SchemaOptions,
	lines: LineCounter,
): Document.Parsed | undefined {
	const parser = new Parser(lines.addNewLine);
	const parseTokens = function* () {
		lines.addNewLine(0);
		for (const token of tokens) {
			yield* parser.next(token);
		}
		yield* parser.end();
	};
	const [document, ...others] = new Composer(options).compose(parseTokens(), true);
	return document?.errors.length === 0 && others.length === 0 ? document : undefined;
}

/**
 * Splits a text into tokens like PyYAML and the hosted service: lines that continue a quoted scalar, or a list or map in brackets, can
 * start at any column. `yaml` requires these lines to be indented, and cuts off the value otherwise. Use only for whole texts, because in a
 * part of a text an open quote would end at a quote of another value.
 * @returns `undefined` if the text has no such lines, or something invalid follows them
 */
export function readContinuedTokens(text: string): readonly string[] | undefined {
	const tokens: string[] = [];
	let from = 0;
	for (let start = addTokensUntilCut(text, from, tokens); start !== undefined; start = addTokensUntilCut(text, from, tokens)) {
		const end = addValueTokens(text, start, tokens);
		if (end === undefined) {
			return undefined;
		}
		from = end;
	}
	return from > 0 && tokens.length <= mostTokens ? tokens : undefined;
}

/** Returns the offset of the first value that the lexer cuts off; `undefined` if there is none. */
export function findCutValue(text: string): number | undefined {
	return addTokensUntilCut(text, 0, []);
}

/** Returns the quote of the first string that the lexer cuts off, and the offset where it does; `undefined` if there is none. */
export function findOpenQuote(text: string): { readonly quote: string; readonly end: number } | undefined {
	for (const { token, offset, isEndMissing } of lexTokens(text, 0)) {
		if (isEndMissing && token !== bracketsEnd) {
			return { quote: token.slice(0, 1), end: offset + token.length };
		}
	}
	return undefined;
}

/** True if the value at an offset continues on other lines and ends properly. */
export function isValueContinued(text: string, offset: number): boolean {
	return addValueTokens(text, offset, []) !== undefined;
}

/**
 * Adds tokens up to a value that the lexer cuts off because of its indentation. Returns the offset of that value; `undefined` if there
 * is none.
 */
function addTokensUntilCut(text: string, from: number, tokens: string[]): number | undefined {
	let brackets = { offset: 0, tokens: 0 };
	for (const { token, offset, depth, isEndMissing, isOutermost } of lexTokens(text, from)) {
		if (isOutermost) {
			brackets = { offset, tokens: tokens.length };
		}
		if (isEndMissing && depth > 0) {
			tokens.length = brackets.tokens;
			return brackets.offset;
		}
		if (isEndMissing) {
			return offset;
		}
		if (tokens.push(token) > mostTokens) {
			return undefined;
		}
	}
	return undefined;
}

/**
 * Adds the tokens of one value. The value is lexed without the text before it, so it doesn't need to be indented. Returns the offset after
 * the value; `undefined` if the value doesn't end, or something invalid follows it.
 */
function addValueTokens(text: string, start: number, tokens: string[]): number | undefined {
	for (const { token, offset, depth, isEndMissing } of lexTokens(text, start)) {
		// brackets can't contain a dash, so they are probably still being typed
		if (isEndMissing || token === '-' || tokens.push(token) > mostTokens) {
			return undefined;
		}
		if (depth === 0 && token !== documentStart) {
			restOfLine.lastIndex = offset + token.length;
			return restOfLine.test(text) ? offset + token.length : undefined;
		}
	}
	return undefined;
}

interface Lexed {
	readonly token: string;
	readonly offset: number;
	/** Number of brackets that are open after the token. */
	readonly depth: number;
	/** True if the token opens the outermost brackets. */
	readonly isOutermost: boolean;
	/** True if the lexer ended a value too early at the token. */
	readonly isEndMissing: boolean;
}

/** Yields tokens from an offset on. Skips the mark of a document start unless the offset is the start of the text. */
function* lexTokens(text: string, from: number): Generator<Lexed> {
	let offset = from;
	let depth = 0;
	let isFirst = true;
	let isScalar = false;
	for (const token of new Lexer().lex(text.slice(from))) {
		const isMark: boolean = !isScalar && (token === documentStart || token === bracketsEnd || token === scalarStart);
		if (!(from > 0 && isFirst && isMark && token === documentStart)) {
			const isOpening = token === '[' || token === '{';
			depth += isOpening ? 1 : token === ']' || token === '}' ? -1 : 0;
			yield { token, offset, depth, isOutermost: isOpening && depth === 1, isEndMissing: !isScalar && isCutToken(token) };
		}
		isFirst &&= token !== documentStart;
		isScalar = isMark && token === scalarStart;
		offset += isMark ? 0 : token.length;
	}
}
