/** Finds words that are not to be said, whatever their case, in a text that comes in pieces. */
export class KeywordCheck {
	readonly #words: readonly string[];
	/** Characters of the last pieces that a word may have begun in. */
	readonly #reach: number;
	#tail = '';

	/** @param words one a line */
	constructor(words: string) {
		this.#words = keywordsIn(words);
		this.#reach = Math.max(0, ...this.#words.map(word => word.length - 1));
	}

	/** Whether a word has come, with this piece or across it and those before. */
	push(piece: string): boolean {
		const text = this.#tail + piece.toLowerCase();
		this.#tail = this.#reach === 0 ? '' : text.slice(-this.#reach);
		return this.#words.some(word => text.includes(word));
	}
}

/** Words of a list, in lower case. */
export function keywordsIn(words: string): readonly string[] {
	return words
		.split(/\r?\n/)
		.filter(word => word.trim() !== '')
		.map(word => word.toLowerCase());
}
