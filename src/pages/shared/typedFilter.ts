/** Delay in milliseconds to combine keystrokes into one request. */
const typingMs = 300;

/** The filter that the fields show: the host's, except while the user types and a request is pending. */
export class TypedFilter<Filter extends object> {
	readonly #ask: (filter: Filter) => void;
	#value: Filter | undefined;
	#asked: Filter | undefined;
	#timer: number | undefined;

	constructor(ask: (filter: Filter) => void) {
		this.#ask = ask;
	}

	/** The filter; `undefined` until the host has sent one. */
	get value(): Filter | undefined {
		return this.#value;
	}

	/** Applies the host's filter. `isWhole`: true if no request is pending. */
	acceptFilter(filter: Filter, isWhole: boolean): void {
		if (isWhole || (this.#asked && isSameFilter(this.#asked, filter))) {
			this.#asked = undefined;
		}
		if (this.#timer === undefined && !this.#asked) {
			this.#value = filter;
		}
	}

	/** Changes fields and requests the result. `typed`: true if more keystrokes may follow, so that the request is delayed. */
	changeFields(change: Partial<Filter>, typed: boolean): void {
		if (this.#value) {
			this.#value = { ...this.#value, ...change };
			clearTimeout(this.#timer);
			this.#timer = window.setTimeout(() => this.sendFilter(), typed ? typingMs : 0);
		}
	}

	/** Requests the current filter from the host. */
	sendFilter(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#asked = this.#value;
		if (this.#value) {
			this.#ask(this.#value);
		}
	}
}

function isSameFilter<Filter extends object>(one: Filter, other: Filter): boolean {
	const names = Object.keys({ ...one, ...other }) as (keyof Filter)[];
	return names.every(name => one[name] === other[name]);
}
