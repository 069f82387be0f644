import { tryParseJson } from '#base/text/json.ts';

/** Range of a field in bytes. Ends are exclusive. */
export interface FieldSpan {
	/** Position of the opening quote of the name. */
	readonly nameStart: number;
	readonly nameEnd: number;
	readonly valueStart: number;
	readonly valueEnd: number;
}

/**
 * Finds the fields of a JSON object without parsing their values, so that a body with megabytes of image data is neither parsed nor copied.
 * If a name occurs several times, the last field counts, as with JSON.parse. Returns undefined for anything but a JSON object. Doesn't
 * validate values.
 */
export function findTopLevelFields(json: Buffer): Map<string, FieldSpan> | undefined {
	const fields = new Map<string, FieldSpan>();
	let at = skipSpace(json, hasByteOrderMark(json) ? 3 : 0);
	if (json[at] !== openBrace) {
		return undefined;
	}
	at = skipSpace(json, at + 1);
	if (json[at] === closeBrace) {
		return skipSpace(json, at + 1) === json.length ? fields : undefined;
	}
	for (;;) {
		const nameStart = at;
		const nameEnd = json[at] === quote ? findStringEnd(json, at) : -1;
		if (nameEnd < 0) {
			return undefined;
		}
		at = skipSpace(json, nameEnd);
		if (json[at] !== colon) {
			return undefined;
		}
		const valueStart = skipSpace(json, at + 1);
		const valueEnd = findValueEnd(json, valueStart);
		if (valueEnd < 0) {
			return undefined;
		}
		const name = readString(json, nameStart, nameEnd);
		if (name === undefined) {
			return undefined;
		}
		fields.set(name, { nameStart, nameEnd, valueStart, valueEnd });
		at = skipSpace(json, valueEnd);
		if (json[at] === closeBrace) {
			return skipSpace(json, at + 1) === json.length ? fields : undefined;
		}
		if (json[at] !== comma) {
			return undefined;
		}
		at = skipSpace(json, at + 1);
	}
}

/** Returns the value of a field; undefined if it isn't valid JSON. */
export function readFieldValue(json: Buffer, { valueStart, valueEnd }: FieldSpan): unknown {
	return json[valueStart] === quote ? readString(json, valueStart, valueEnd) : parseRange(json, valueStart, valueEnd);
}

/** Returns a copy of `json` with ranges replaced. Edits must be in order and must not overlap. */
export function replaceSpans(
	json: Buffer,
	edits: readonly { readonly start: number; readonly end: number; readonly text: string }[],
): Buffer {
	const pieces: Buffer[] = [];
	let at = 0;
	for (const { start, end, text } of edits) {
		pieces.push(json.subarray(at, start), Buffer.from(text));
		at = end;
	}
	return Buffer.concat([...pieces, json.subarray(at)]);
}

const shortString = 24;
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const colon = 0x3a;
const comma = 0x2c;

function hasByteOrderMark(json: Buffer): boolean {
	return json[0] === 0xef && json[1] === 0xbb && json[2] === 0xbf;
}

function parseRange(json: Buffer, start: number, end: number): unknown {
	return tryParseJson(json.toString('utf8', start, end));
}

/**
 * Returns the string in the quotes at `start`; undefined if it isn't valid JSON. Nearly all names are plain ASCII and don't need a parser.
 */
function readString(json: Buffer, start: number, end: number): string | undefined {
	for (let at = start + 1; at < end - 1; at++) {
		const byte = json[at] ?? 0;
		if (byte < 0x20 || byte > 0x7e || byte === backslash) {
			return parseRange(json, start, end) as string | undefined;
		}
	}
	return json.toString('latin1', start + 1, end - 1);
}

function isSpace(byte: number | undefined): boolean {
	return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function skipSpace(json: Buffer, start: number): number {
	let at = start;
	while (isSpace(json[at])) {
		at++;
	}
	return at;
}

/** Returns the offset after the string that starts at `start`; -1 if it doesn't end. */
function findStringEnd(json: Buffer, start: number): number {
	let from = start + 1;
	// most strings are names, and a loop is faster than searching the buffer for them
	for (const near = Math.min(json.length, from + shortString); from < near; from++) {
		if (json[from] === quote) {
			return from + 1;
		}
		if (json[from] === backslash) {
			break;
		}
	}
	for (;;) {
		const end = json.indexOf(quote, from);
		if (end < 0) {
			return -1;
		}
		let slashes = 0;
		while (json[end - 1 - slashes] === backslash) {
			slashes++;
		}
		if (slashes % 2 === 0) {
			return end + 1;
		}
		from = end + 1;
	}
}

function findValueEnd(json: Buffer, start: number): number {
	let depth = 0;
	let at = start;
	while (at < json.length) {
		const byte = json[at];
		if (byte === quote) {
			at = findStringEnd(json, at);
			if (at < 0) {
				return -1;
			}
			if (depth === 0) {
				return at;
			}
			continue;
		}
		if (byte === openBrace || byte === openBracket) {
			depth++;
		} else if (byte === closeBrace || byte === closeBracket) {
			if (depth === 0) {
				return at > start ? at : -1;
			}
			depth--;
			if (depth === 0) {
				return at + 1;
			}
		} else if (depth === 0 && (byte === comma || isSpace(byte))) {
			return at > start ? at : -1;
		}
		at++;
	}
	return -1;
}
