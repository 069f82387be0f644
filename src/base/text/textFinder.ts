import { computeBorders, Occurrences } from './containsText.ts';
import { createAlternation } from './secretForms.ts';

/** Number of characters that the pattern contains of each text. Complete texts would make the pattern slow or too long. */
const startLength = 64;

/** Finds texts, such as secrets, within other texts. The time is linear in the searched text, however long the wanted texts are. */
export class TextFinder {
	/** Sorted with the longest first. */
	readonly #texts: readonly string[];
	/** The texts, grouped by their first characters. */
	readonly #byStart: ReadonlyMap<string, readonly string[]>;
	readonly #starts: RegExp | undefined;
	/** Tables from {@link computeBorders} of the texts that were searched. */
	readonly #borders = new Map<string, Int32Array>();

	constructor(texts: Iterable<string>) {
		this.#texts = [...new Set(texts)].sort((a, b) => b.length - a.length);
		this.#byStart = Map.groupBy(this.#texts, text => text.slice(0, startLength));
		this.#starts = createAlternation(this.#byStart.keys());
	}

	/** Replaces every wanted text with the mask, even if only the start of it is present. */
	maskTexts(text: string, mask: string): string {
		const getLengthAt = (at: number, start: string) =>
			Math.max(...(this.#byStart.get(start) ?? []).map(each => countMatchingCharacters(text, at, each, start.length)));
		return this.#replaceMatches(text, getLengthAt, () => mask);
	}

	/**
	 * Replaces every wanted text, preferring the longest.
	 * @param before position from which on nothing is replaced, unless it starts before
	 */
	replaceTexts(text: string, replaced: (found: string, at: number) => string, before = text.length): string {
		const occurrences = new Map<string, Occurrences>();
		const isLongTextAt = (each: string, at: number) => {
			const found = occurrences.get(each) ?? new Occurrences(text, each, this.#getBorders(each), at);
			occurrences.set(each, found);
			return found.startsAt(at);
		};
		const getLengthAt = (at: number, start: string) => {
			const long = start.length === startLength ? this.#byStart.get(start)?.find(each => isLongTextAt(each, at)) : undefined;
			return (long ?? this.#texts.find(each => each.length < startLength && text.startsWith(each, at)))?.length ?? 0;
		};
		return this.#replaceMatches(text, getLengthAt, replaced, before);
	}

	#getBorders(text: string): Int32Array {
		const borders = this.#borders.get(text) ?? computeBorders(text);
		this.#borders.set(text, borders);
		return borders;
	}

	/** @param lengthAt returns the length of the match at a position, or 0 if there is none */
	#replaceMatches(
		text: string,
		lengthAt: (at: number, start: string) => number,
		replaced: (found: string, at: number) => string,
		before = text.length,
	): string {
		const starts = this.#starts;
		if (!starts) {
			return text;
		}
		let result = '';
		let end = 0;
		starts.lastIndex = 0;
		for (let match = starts.exec(text); match && match.index < before; match = starts.exec(text)) {
			const { 0: start, index } = match;
			const length = lengthAt(index, start);
			starts.lastIndex = index + (length || 1);
			if (length > 0) {
				result += text.slice(end, index) + replaced(text.slice(index, index + length), index);
				end = starts.lastIndex;
			}
		}
		return end === 0 ? text : result + text.slice(end);
	}
}

/**
 * Returns a function that replaces each of these texts, preferring the longest, with its mapped value. Returns undefined if there are none.
 */
export function createReplacer(replacements: ReadonlyMap<string, string>): ((text: string) => string) | undefined {
	const finder = new TextFinder(replacements.keys());
	return replacements.size > 0 ? text => finder.replaceTexts(text, found => replacements.get(found) ?? found) : undefined;
}

/** Counts the characters of a part that match at a position, given that the first `known` characters match. */
function countMatchingCharacters(text: string, at: number, part: string, known: number): number {
	let length = known;
	while (length < part.length && text.charCodeAt(at + length) === part.charCodeAt(length)) {
		length++;
	}
	return length;
}
