import { cutToLimit } from '#base/text/cutText.ts';

/** Longest text of thoughts shown, in UTF-16 units. The run's events have the rest. */
const longestThoughts = 400_000;

/** Collects the thoughts of models from the chunks in a run's events (`reasoning_chunk`), by timeline row. */
export class NodeThoughts {
	readonly #texts = new Map<string, string>();

	/** Adds a chunk. Returns true if it changed what is shown. */
	add(row: string, piece: string): boolean {
		const before = this.getText(row);
		if (piece === '' || before.length >= longestThoughts) {
			return false;
		}
		this.#texts.set(row, cutToLimit(before + piece, longestThoughts));
		return true;
	}

	getText(row: string): string {
		return this.#texts.get(row) ?? '';
	}
}
