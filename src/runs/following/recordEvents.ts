/** Most characters of JSON, in UTF-16 units, that the events of a run take in its record: the first half of them, and the last. */
const mostCharacters = 8_000_000;

/** The events of a run as its record shows them: all, or the first and the last of them with a word on how many there are between. */
export class RecordEvents {
	readonly #first: unknown[] = [];
	readonly #last: { readonly event: unknown; readonly size: number }[] = [];
	readonly #half: number;
	#firstSize = 0;
	#lastSize = 0;
	/** Place in {@link RecordEvents.#last} of the oldest that is kept. */
	#from = 0;
	#left = 0;

	constructor(most = mostCharacters) {
		this.#half = most / 2;
	}

	/** Adds an event, which takes so many characters as JSON. */
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
		// what was passed over goes in batches: an array gives up its beginning slowly
		if (this.#from > 1000 && this.#from > this.#last.length / 2) {
			this.#last.splice(0, this.#from);
			this.#from = 0;
		}
	}

	/** How many events were left out. */
	get left(): number {
		return this.#left;
	}

	/** The events to show; `between` stands where some were left out. */
	list(between: unknown): unknown[] {
		const last = this.#last.slice(this.#from).map(({ event }) => event);
		return [...this.#first, ...(this.#left > 0 ? [between] : []), ...last];
	}
}
