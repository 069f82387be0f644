/** Rows of one question to the host. */
const chunkSize = 100;
/** Chunks that are kept beside what is in sight. */
const mostChunks = 60;

/** Part of a list, by places; `to` is not in it. */
export interface Slice {
	readonly from: number;
	readonly to: number;
}

/** What every row of a table has: an ID that stays the same when it has another place. */
export interface TableRow {
	readonly id: string;
}

/** The rows of a long list that the page has: those in sight, and some around them. */
export class RowCache<Row extends TableRow> {
	readonly #chunks = new Map<number, readonly Row[]>();
	/** How many rows were asked for, by chunk. */
	readonly #asked = new Map<number, number>();
	#generation = -1;
	#count = 0;

	get count(): number {
		return this.#count;
	}

	/** The list has so many rows now; with another generation, others than before. */
	begin(generation: number, count: number): void {
		if (generation !== this.#generation) {
			this.#generation = generation;
			this.#chunks.clear();
			this.#asked.clear();
		}
		this.#count = count;
	}

	at(place: number): Row | undefined {
		return this.#chunks.get(Math.floor(place / chunkSize))?.[place % chunkSize];
	}

	/** Place of a row among those that are here. */
	placeOf(id: string): number | undefined {
		for (const [chunk, rows] of this.#chunks) {
			const index = rows.findIndex(row => row.id === id);
			if (index >= 0) {
				return chunk * chunkSize + index;
			}
		}
		return undefined;
	}

	/** Takes rows up that the host has sent: from the beginning of a chunk on. */
	take(generation: number, from: number, rows: readonly Row[]): void {
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

	/** What is to be asked for so that these places can be shown; each is told once. What lies far from them is let go. */
	missing({ from, to }: Slice): readonly Slice[] {
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
