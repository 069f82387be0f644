import { signatureMark } from '../translate/signature.ts';
import type { FieldSpan } from './topLevelFields.ts';

/** A replaced range of the body. Offsets in bytes, the end is exclusive. */
export interface Edit {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/** A list of content blocks: the range of its objects read so far, and how many of them are dropped. */
interface Blocks {
	readonly kept: string[];
	start: number;
	end: number;
	dropped: number;
}

/** Depth of the brackets of a message's content, and of its blocks. Services accept thinking only there. */
const contentDepth = 3;
const blockDepth = 4;

/**
 * Finds thinking blocks in the messages of a request (C) that come from translated replies, and returns edits that remove them. Anthropic
 * refuses blocks that it hasn't signed, but callers that switch from another service's model to Anthropic send them along. Nearly all
 * bodies lack our mark and are only searched once.
 */
export function findForeignThoughts(body: Buffer, messages: FieldSpan): Edit[] {
	const first = body.indexOf(mark, messages.valueStart);
	if (first < 0 || first >= messages.valueEnd) {
		return [];
	}
	const edits: Edit[] = [];
	let depth = 0;
	let blocks: Blocks | undefined;
	let block = { start: 0, marked: false };
	for (let at = messages.valueStart; at < messages.valueEnd; at++) {
		switch (body[at]) {
			case quote:
				block.marked ||= depth === blockDepth && body.subarray(at, at + mark.length).equals(mark);
				at = findStringEnd(body, at);
				break;
			case openBrace:
			case openBracket:
				depth++;
				if (depth === contentDepth) {
					blocks = body[at] === openBracket ? { kept: [], start: -1, end: -1, dropped: 0 } : undefined;
				} else if (depth === blockDepth) {
					block = { start: at, marked: false };
				}
				break;
			case closeBrace:
			case closeBracket:
				if (depth === blockDepth && blocks) {
					addBlock(blocks, body, block.start, at + 1, block.marked);
				} else if (depth === contentDepth && blocks && blocks.dropped > 0) {
					edits.push({ start: blocks.start, end: blocks.end, text: blocks.kept.join(',') || '{"type":"text","text":"(no answer)"}' });
				}
				depth--;
		}
	}
	return edits;
}

function addBlock(blocks: Blocks, body: Buffer, start: number, end: number, marked: boolean): void {
	blocks.start = blocks.start < 0 ? start : blocks.start;
	blocks.end = end;
	const text = body.toString('utf8', start, end);
	if (marked && isForeignThought(text)) {
		blocks.dropped++;
	} else {
		blocks.kept.push(text);
	}
}

function isForeignThought(json: string): boolean {
	let block: { type?: unknown; signature?: unknown };
	try {
		block = JSON.parse(json) as typeof block;
	} catch {
		// the service reports what is wrong with the JSON
		return false;
	}
	const { type, signature } = block;
	return type === 'thinking' && String(signature).startsWith(signatureMark);
}

function findStringEnd(body: Buffer, start: number): number {
	let at = start + 1;
	while (at < body.length && body[at] !== quote) {
		at += body[at] === backslash ? 2 : 1;
	}
	return at;
}

const mark = Buffer.from(`"${signatureMark}`);
const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [...'"\\{}[]'].map(character => character.charCodeAt(0));
