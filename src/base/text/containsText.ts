/** Longer parts are searched here. Shorter ones take `includes` no longer than this many steps for each character. */
const longestSimple = 32;

/**
 * Whether a text contains another. Takes time linear in both, as both can come from outside: `includes` takes up to their product, which is
 * minutes for two texts of a megabyte that repeat one letter (Knuth, Morris and Pratt).
 */
export function containsText(text: string, part: string): boolean {
	if (part.length <= longestSimple || part.length > text.length) {
		return text.includes(part);
	}
	const borders = bordersOf(part);
	for (let at = 0, matched = 0; at < text.length; at++) {
		matched = longerMatch(part, borders, matched, text.charCodeAt(at));
		if (matched === part.length) {
			return true;
		}
	}
	return false;
}

/**
 * Returns for each length of a beginning of the part how long the longest shorter beginning is that it ends with: the table of {@link
 * longerMatch}.
 */
export function bordersOf(part: string): Int32Array {
	const borders = new Int32Array(part.length + 1);
	for (let at = 1, matched = 0; at < part.length; at++) {
		matched = longerMatch(part, borders, matched, part.charCodeAt(at));
		borders[at + 1] = matched;
	}
	return borders;
}

/** How much of the part is matched with one more character, where `matched` characters were before it. */
export function longerMatch(part: string, borders: Int32Array, matched: number, character: number): number {
	let length = matched;
	while (length > 0 && part.charCodeAt(length) !== character) {
		length = borders[length] ?? 0;
	}
	return part.charCodeAt(length) === character ? length + 1 : 0;
}
