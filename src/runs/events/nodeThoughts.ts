import { cutToLimit } from '#base/text/cutText.ts';

/** Maximum length of the thoughts of a node, in UTF-16 units. The run's events have all of them. */
const longestThoughts = 400_000;

/** Collects the thoughts of models from the chunks in a run's events (`reasoning_chunk`), by timeline row. */
export class NodeThoughts {
	readonly #texts = new Map<string, string>();

	/** Adds a chunk. Returns true if it changed what is shown. */
	add(row: string, piece: string): boolean {
		const before = this.getText(row);
		// one less than the limit, if the text was cut before a surrogate pair
		if (piece === '' || before.length >= longestThoughts - 1) {
			return false;
		}
		this.#texts.set(row, cutToLimit(before + piece, longestThoughts));
		return true;
	}

	getText(row: string): string {
		return this.#texts.get(row) ?? '';
	}
}
