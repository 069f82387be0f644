/** Number of rows per request. */
const chunkSize = 100;
/** Maximum number of cached chunks outside of the visible area. */
const mostChunks = 60;

/** A range of indexes; `to` is exclusive. */
export interface Slice {
	readonly from: number;
	readonly to: number;
}

/** Merges two adjacent ranges, because the page may request the visible rows in two parts. */
export function mergeSlices(before: Slice, { from, to }: Slice): Slice {
	return from === before.to || to === before.from ? { from: Math.min(from, before.from), to: Math.max(to, before.to) } : { from, to };
}

/** A row of a table, with an ID that doesn't change when the row moves. */
export interface TableRow {
	readonly id: string;
}

/** Caches the rows of a long list that are near the visible area. */
export class RowCache<Row extends TableRow> {
	readonly #chunks = new Map<number, readonly Row[]>();
	/** Number of requested rows, by chunk. */
	readonly #asked = new Map<number, number>();
	#generation = -1;
	#count = 0;

	get count(): number {
		return this.#count;
	}

	/** Sets the length of the list; a new generation drops all rows. */
	startList(generation: number, count: number): void {
		if (generation !== this.#generation) {
			this.#generation = generation;
			this.#chunks.clear();
			this.#asked.clear();
		}
		this.#count = count;
	}

	get(place: number): Row | undefined {
		return this.#chunks.get(Math.floor(place / chunkSize))?.[place % chunkSize];
	}

	/** Returns the index of a cached row. */
	findIndex(id: string): number | undefined {
		for (const [chunk, rows] of this.#chunks) {
			const index = rows.findIndex(row => row.id === id);
			if (index >= 0) {
				return chunk * chunkSize + index;
			}
		}
		return undefined;
	}

	/** Adds rows from the host, which start at a chunk boundary. */
	addRows(generation: number, from: number, rows: readonly Row[]): void {
		if (generation !== this.#generation) {
			return;
		}
		for (let at = 0; at < rows.length; at += chunkSize) {
			const chunk = Math.floor((from + at) / chunkSize);
			const some = rows.slice(at, at + chunkSize);
			this.#chunks.set(chunk, some);
			this.#asked.set(chunk, Math.max(this.#asked.get(chunk) ?? 0, some.length));
		}
	}

	/** Returns the ranges to request so that these rows can be shown. Requests each range only once, and drops rows that are far away. */
	getMissingSlices({ from, to }: Slice): readonly Slice[] {
		const [first, last] = [Math.floor(from / chunkSize), Math.floor(Math.max(from, to - 1) / chunkSize)];
		const slices: Slice[] = [];
		for (let chunk = first; chunk <= last; chunk++) {
			const size = Math.min(chunkSize, this.#count - chunk * chunkSize);
			if (size > (this.#asked.get(chunk) ?? 0)) {
				this.#asked.set(chunk, size);
				slices.push({ from: chunk * chunkSize, to: chunk * chunkSize + size });
			}
		}
		if (this.#chunks.size > mostChunks + last - first) {
			for (const chunk of this.#chunks.keys()) {
				if (Math.abs(chunk - first) > mostChunks / 2) {
					this.#chunks.delete(chunk);
					this.#asked.delete(chunk);
				}
			}
		}
		return slices;
	}
}
