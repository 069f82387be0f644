/** Maximum length of the events in a run's record as JSON, in UTF-16 units: half for the first events, half for the last. */
const mostCharacters = 8_000_000;

/** Collects the events for a run's record: all events, or the first and last ones with a note on how many were omitted. */
export class RecordEvents {
	readonly #first: unknown[] = [];
	readonly #last: { readonly event: unknown; readonly size: number }[] = [];
	readonly #half: number;
	#firstSize = 0;
	#lastSize = 0;
	/** Index in {@link RecordEvents.#last} of the oldest event that is kept. */
	#from = 0;
	#left = 0;

	constructor(most = mostCharacters) {
		this.#half = most / 2;
	}

	/** Adds an event; `size` is its length as JSON. */
	add(event: unknown, size: number): void {
		if (this.#last.length === 0 && this.#firstSize + size <= this.#half) {
			this.#first.push(event);
			this.#firstSize += size;
			return;
		}
		this.#last.push({ event, size });
		this.#lastSize += size;
		while (this.#lastSize > this.#half && this.#from < this.#last.length - 1) {
			this.#lastSize -= this.#last[this.#from]?.size ?? 0;
			this.#from++;
			this.#left++;
		}
		// dropped in batches: removing items from the start of an array is slow
		if (this.#from > 1000 && this.#from > this.#last.length / 2) {
			this.#last.splice(0, this.#from);
			this.#from = 0;
		}
	}

	/** Number of omitted events. */
	get left(): number {
		return this.#left;
	}

	/** Returns the events to show, with `between` in place of the omitted ones. */
	listEvents(between: unknown): unknown[] {
		const last = this.#last.slice(this.#from).map(({ event }) => event);
		return [...this.#first, ...(this.#left > 0 ? [between] : []), ...last];
	}
}
