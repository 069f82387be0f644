import { type Section, sectionsOf } from './sections.ts';

/** Tokens of a segment, about, and of the end of the one before that it begins with. */
const segmentTokens = 500;
const overlapTokens = 50;

/** A piece of a document that is found and given to models. */
export interface Segment {
	/** Headings that it stands under, the document's first. */
	readonly headings: readonly string[];
	/** What stands there, without the headings. */
	readonly text: string;
}

/**
 * Splits a document where it has headings (Markdown), paragraphs, lines, sentences, and only then anywhere: no segment has much more than 500 tokens.
 * Within a section each segment begins with the end of the one before.
 */
export function segmentsOf(text: string, markdown: boolean): readonly Segment[] {
	const sections: readonly Section[] = markdown ? sectionsOf(text) : [{ headings: [], text }];
	return sections.flatMap(section => packed(section.text).map(piece => ({ headings: section.headings, text: piece })));
}

/** Tokens of a text, about: a character of a script without an alphabet is one, of others four are. */
export function tokensAbout(text: string): number {
	let wide = 0;
	for (let at = 0; at < text.length; at++) {
		wide += text.charCodeAt(at) >= firstWide ? 1 : 0;
	}
	return wide + (text.length - wide) / 4;
}

const firstWide = 0x2e80;

function packed(text: string): readonly string[] {
	const found: string[] = [];
	let current = '';
	let tokens = 0;
	/** Whether there is more in it than the end of the one before. */
	let fresh = false;
	for (const piece of smallPieces(text)) {
		const more = tokensAbout(piece);
		if (fresh && tokens + more > segmentTokens) {
			found.push(current.trim());
			current = endOf(current);
			tokens = tokensAbout(current);
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

/** Where a text may be cut, from the best places to the worst. */
const cuts = [/\n[^\S\n]*\n/g, /\n/g, /[.!?。！？；;]+["'”’)\]]*\s*/g, /\s+/g];

/** The text in pieces of half a segment at the most; joined they are the text. */
function* smallPieces(text: string, cut = 0): Generator<string> {
	if (text.length <= segmentTokens / 2 || tokensAbout(text) <= segmentTokens / 2) {
		yield text;
		return;
	}
	const pattern = cuts[cut];
	if (!pattern) {
		for (let at = 0; at < text.length; ) {
			// no pair of surrogates is cut
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
			yield* smallPieces(text.slice(from, end), cut + 1);
		}
		from = end;
	}
	if (from < text.length) {
		yield* smallPieces(text.slice(from), cut + 1);
	}
}

/** The last sentences or words of a segment, for the beginning of the next one. */
function endOf(text: string): string {
	const window = text.slice(-overlapTokens * 4);
	const tail = tokensAbout(window) <= overlapTokens ? window : text.slice(-overlapTokens);
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
