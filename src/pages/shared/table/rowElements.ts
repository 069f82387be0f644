import type { Slice } from './rowCache.ts';

/** Decides which element shows which row. After a jump the elements show other rows, because creating and removing them takes longest. */
export class RowElements {
	#drawn: Slice = { from: 0, to: 0 };
	#shift = 0;

	/** Returns the index of each of these rows with the key of its element. A row that was drawn before keeps its element. */
	assign({ from, to }: Slice): readonly { readonly place: number; readonly key: number }[] {
		if (from >= this.#drawn.to || to <= this.#drawn.from) {
			this.#shift += this.#drawn.from - from;
		}
		this.#drawn = { from, to };
		return Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ place: from + index, key: from + index + this.#shift }));
	}
}
