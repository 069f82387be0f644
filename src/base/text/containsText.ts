/** Parts up to this length are searched with `includes`, which takes at most this many steps per character. */
const longestSimple = 32;

/**
 * True if a text contains another. Takes linear time even for hostile input (Knuth–Morris–Pratt), while `includes` can take time
 * proportional to the product of the lengths: minutes for two megabytes of one repeated letter.
 */
export function containsText(text: string, part: string): boolean {
	if (part.length <= longestSimple || part.length > text.length) {
		return text.includes(part);
	}
	const borders = computeBorders(part);
	for (let at = 0, matched = 0; at < text.length; at++) {
		matched = extendMatch(part, borders, matched, text.charCodeAt(at));
		if (matched === part.length) {
			return true;
		}
	}
	return false;
}

/**
 * Returns, for each prefix of the part, the length of its longest proper prefix that is also a suffix. This is the table for {@link
 * extendMatch}.
 */
export function computeBorders(part: string): Int32Array {
	const borders = new Int32Array(part.length + 1);
	for (let at = 1, matched = 0; at < part.length; at++) {
		matched = extendMatch(part, borders, matched, part.charCodeAt(at));
		borders[at + 1] = matched;
	}
	return borders;
}

/** Returns the length of the matched prefix after one more character. `matched` is the length before that character. */
export function extendMatch(part: string, borders: Int32Array, matched: number, character: number): number {
	let length = matched;
	while (length > 0 && part.charCodeAt(length) !== character) {
		length = borders[length] ?? 0;
	}
	return part.charCodeAt(length) === character ? length + 1 : 0;
}

/** The occurrences of a part in a text. Searching all of them takes linear time. */
export class Occurrences {
	readonly #text: string;
	readonly #part: string;
	readonly #borders: Int32Array;
	#end: number;
	#matched = 0;

	/** @param from position of the first occurrence to search for */
	constructor(text: string, part: string, borders: Int32Array, from: number) {
		this.#text = text;
		this.#part = part;
		this.#borders = borders;
		this.#end = from;
	}

	/** True if an occurrence starts at a position. Positions must be given in ascending order. */
	startsAt(at: number): boolean {
		const end = at + this.#part.length;
		if (end > this.#text.length) {
			return false;
		}
		while (this.#end < end) {
			this.#matched = extendMatch(this.#part, this.#borders, this.#matched, this.#text.charCodeAt(this.#end++));
		}
		return this.#end === end && this.#matched === this.#part.length;
	}
}
