import { tryParseJson } from '#base/text/json.ts';
import { isObjectValue } from '../../variables/objectValue.ts';
import { findPythonJsonError } from '../../variables/pythonJsonError.ts';
import { toPythonRepr } from '../../variables/pythonText.ts';
import { repairJson } from '../../variables/repairJson.ts';
import { NodeError } from '../nodeError.ts';
import { removeThoughts } from './thinking.ts';

/**
 * Finds the JSON object in a model's reply, which may be surrounded by text, in a code fence, or truncated. `undefined` if there is none.
 */
export function findJsonInReply(text: string): Readonly<Record<string, unknown>> | undefined {
	const plain = removeThoughts(text);
	const from = plain.indexOf('{');
	const to = plain.lastIndexOf('}');
	const candidates = [
		findFencedText(plain),
		from >= 0 && to > from ? plain.slice(from, to + 1) : undefined,
		from >= 0 ? plain.slice(from) : undefined,
	];
	for (const candidate of candidates) {
		const found = candidate === undefined ? undefined : tryParseObject(candidate);
		if (found) {
			return found;
		}
	}
	return undefined;
}

/** Returns the text in the first code fence; undefined if there is none, or it isn't closed. */
function findFencedText(text: string): string | undefined {
	const opening = /```(?:json)?[^\S\n]*\n/.exec(text);
	const from = opening ? opening.index + opening[0].length : -1;
	const to = opening ? text.indexOf('```', from) : -1;
	return to < 0 ? undefined : text.slice(from, to);
}

function tryParseObject(text: string): Readonly<Record<string, unknown>> | undefined {
	for (const read of [JSON.parse, repairJson]) {
		try {
			const value: unknown = read(text);
			if (isObjectValue(value)) {
				return value;
			}
		} catch {
			// try the next method
		}
	}
	return undefined;
}

/**
 * Parses the JSON of a reply as question-classifier does: the content of a code fence, or else the text from the first to the last
 * bracket. It isn't repaired.
 * @throws {NodeError} with the hosted service's messages if there is none
 */
export function findJsonBlock(reply: string): unknown {
	const text = reply.trim();
	const opening = ['```json', '```', '``', '`', '{', '['].find(mark => text.includes(mark));
	const at = opening === undefined ? -1 : text.indexOf(opening);
	const from = opening?.includes('`') ? at + opening.length : at;
	const closing = ['```', '``', '`', '}', ']'].find(mark => at >= 0 && text.lastIndexOf(mark) >= from);
	const to = closing === undefined ? -1 : text.lastIndexOf(closing) + (closing.includes('`') ? 0 : 1);
	if (at < 0 || to <= from) {
		throw new NodeError('could not find json block in the output.', 'ValueError');
	}
	let found: unknown;
	try {
		found = JSON.parse(text.slice(from, to).trim());
	} catch (cause) {
		const said = findPythonJsonError(text.slice(from, to).trim()) ?? (cause as Error).message;
		throw new NodeError(`got invalid json object. error: ${said}`, 'OutputParserError', { cause });
	}
	if (!Array.isArray(found)) {
		return found;
	}
	if (found.length !== 1 || !isObjectValue(found[0])) {
		throw new NodeError(`got invalid return object. obj:${toPythonRepr(found)}`, 'OutputParserError');
	}
	return found[0];
}

/** Maximum characters to read in total while searching for an object, because each bracket of a reply may start one. */
const mostRead = 5_000_000;
/** Fixed cost of an attempt in characters: text that isn't JSON throws, which takes far longer than reading a few characters. */
const costOfTry = 500;

/** Finds the first object in a reply that is complete and needs no repair, as parameter-extractor does; thoughts are searched too. */
export function findFirstObject(reply: string): Readonly<Record<string, unknown>> | undefined {
	let left = mostRead;
	for (let from = findBracket(reply, 0); from >= 0 && left > 0; from = findBracket(reply, from + 1)) {
		const to = findClosingBracket(reply, from);
		const found = to < 0 ? undefined : tryParseJson(reply.slice(from, to));
		left -= (to < 0 ? reply.length : to) - from + costOfTry;
		if (isObjectValue(found)) {
			return found;
		}
	}
	return undefined;
}

function findBracket(text: string, from: number): number {
	const found = text.slice(from).search(/[{[]/);
	return found < 0 ? -1 : from + found;
}

/** Returns the index at which the bracket at `from` is closed, ignoring string contents; -1 if it isn't. */
function findClosingBracket(text: string, from: number): number {
	const opened: string[] = [];
	for (let i = from; i < text.length; i++) {
		const character = text[i] as string;
		if (character === '{' || character === '[') {
			opened.push(character);
		} else if (character === '}' || character === ']') {
			if (opened.pop() !== (character === '}' ? '{' : '[')) {
				return i;
			}
			if (opened.length === 0) {
				return i + 1;
			}
		}
	}
	return -1;
}
