/** Number of ordinals per page, a multiple of 8. */
const pageSize = 1024;

/** A set of non-negative integers with one bit each. Uses pages, because a result file may contain a few very large numbers. */
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
