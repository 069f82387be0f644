/** Ordinals of a page, a multiple of eight. */
const pageSize = 1024;

/** A set of whole numbers from 0, a bit each, for batches of any size. Kept in pages: a result file may have any number, and few of them. */
export class OrdinalSet {
	readonly #pages = new Map<number, Uint8Array>();

	add(ordinal: number): void {
		const key = Math.floor(ordinal / pageSize);
		const page = this.#pages.get(key) ?? new Uint8Array(pageSize / 8);
		this.#pages.set(key, page);
		page[(ordinal % pageSize) >>> 3]! |= 1 << (ordinal % 8);
	}

	has(ordinal: number): boolean {
		const page = this.#pages.get(Math.floor(ordinal / pageSize));
		return ((page?.[(ordinal % pageSize) >>> 3] ?? 0) & (1 << (ordinal % 8))) !== 0;
	}
}
