import { type Section, splitSections } from './sections.ts';

/** Approximate number of tokens in a segment, and in its overlap with the previous one. */
const segmentTokens = 500;
const overlapTokens = 50;

/** A part of a document that can be found and passed to models. */
export interface Segment {
	/** The headings that the segment belongs to, from the top level down. */
	readonly headings: readonly string[];
	/** The text without the headings. */
	readonly text: string;
}

/**
 * Splits a document at headings (Markdown), paragraphs, lines and sentences, or anywhere if necessary. No segment has much more than 500
 * tokens. Within a section, each segment starts with the end of the previous one.
 */
export function splitSegments(text: string, markdown: boolean): readonly Segment[] {
	const sections: readonly Section[] = markdown ? splitSections(text) : [{ headings: [], text }];
	return sections.flatMap(section => packChunks(section.text).map(piece => ({ headings: section.headings, text: piece })));
}

/** Estimates the tokens of a text: one per character in scripts without an alphabet, otherwise one per four characters. */
export function estimateTokens(text: string): number {
	let wide = 0;
	for (let at = 0; at < text.length; at++) {
		wide += text.charCodeAt(at) >= firstWide ? 1 : 0;
	}
	return wide + (text.length - wide) / 4;
}

const firstWide = 0x2e80;

function packChunks(text: string): readonly string[] {
	const found: string[] = [];
	let current = '';
	let tokens = 0;
	/** True if the segment contains more than the end of the previous one. */
	let fresh = false;
	for (const piece of splitChunks(text)) {
		const more = estimateTokens(piece);
		if (fresh && tokens + more > segmentTokens) {
			found.push(current.trim());
			current = getOverlap(current);
			tokens = estimateTokens(current);
			fresh = false;
		}
		current += piece;
		tokens += more;
		fresh ||= piece.trim() !== '';
	}
	if (fresh) {
		found.push(current.trim());
	}
	return found;
}

/** Patterns of positions to split a text at, best ones first. */
const cuts = [/\n[^\S\n]*\n/g, /\n/g, /[.!?。！？；;]+["'”’)\]]*\s*/g, /\s+/g];

/** Splits a text into chunks of at most half a segment. Joined, they are the whole text. */
function* splitChunks(text: string, cut = 0): Generator<string> {
	if (text.length <= segmentTokens / 2 || estimateTokens(text) <= segmentTokens / 2) {
		yield text;
		return;
	}
	const pattern = cuts[cut];
	if (!pattern) {
		for (let at = 0; at < text.length; ) {
			// don't split surrogate pairs
			const end = at + segmentTokens / 2 + (isHighSurrogate(text.charCodeAt(at + segmentTokens / 2 - 1)) ? 1 : 0);
			yield text.slice(at, end);
			at = end;
		}
		return;
	}
	let from = 0;
	for (const { 0: match, index } of text.matchAll(pattern)) {
		const end = index + match.length;
		if (end > from) {
			yield* splitChunks(text.slice(from, end), cut + 1);
		}
		from = end;
	}
	if (from < text.length) {
		yield* splitChunks(text.slice(from), cut + 1);
	}
}

/** Returns the last sentences or words of a segment, which the next one starts with. */
function getOverlap(text: string): string {
	const window = text.slice(-overlapTokens * 4);
	const tail = estimateTokens(window) <= overlapTokens ? window : text.slice(-overlapTokens);
	if (tail.length >= text.length) {
		return '';
	}
	const begins = /(?<=[.!?。！？]\s*|\n)\S/.exec(tail) ?? /(?<=\s)\S/.exec(tail);
	const end = begins ? tail.slice(begins.index) : tail.replace(/^[\udc00-\udfff]/, '');
	return /\s$/.test(end) ? end : `${end} `;
}

function isHighSurrogate(code: number): boolean {
	return code >= 0xd800 && code < 0xdc00;
}
