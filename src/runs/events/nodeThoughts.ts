import { beginningOf } from '#base/text/cutText.ts';

/** More of a node's thoughts is not shown, in UTF-16 units; the run's events have it. */
const longestThoughts = 400_000;

/** What the models of a run's nodes thought, told in pieces (`reasoning_chunk`); by the rows of their nodes. */
export class NodeThoughts {
	readonly #texts = new Map<string, string>();

	/** Adds a piece. Returns whether it is shown. */
	add(row: string, piece: string): boolean {
		const before = this.of(row);
		if (piece === '' || before.length >= longestThoughts) {
			return false;
		}
		this.#texts.set(row, beginningOf(before + piece, longestThoughts));
		return true;
	}

	of(row: string): string {
		return this.#texts.get(row) ?? '';
	}
}
