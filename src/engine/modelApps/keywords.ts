/** Finds forbidden words, ignoring case, in text that arrives in chunks. */
export class KeywordCheck {
	readonly #words: readonly string[];
	/** Number of trailing characters in which a word may have started. */
	readonly #reach: number;
	#tail = '';

	/** @param words one word per line */
	constructor(words: string) {
		this.#words = parseKeywords(words);
		this.#reach = Math.max(0, ...this.#words.map(word => word.length - 1));
	}

	/** Returns true if a word was found in this chunk, or across it and earlier ones. */
	push(piece: string): boolean {
		const text = this.#tail + piece.toLowerCase();
		this.#tail = this.#reach === 0 ? '' : text.slice(-this.#reach);
		return this.#words.some(word => text.includes(word));
	}
}

/** Returns the words of a list in lower case. */
export function parseKeywords(words: string): readonly string[] {
	return words
		.split(/\r?\n/)
		.filter(word => word.trim() !== '')
		.map(word => word.toLowerCase());
}
