/** Keystrokes within this time, in milliseconds, make one request. */
const typingMs = 300;

/** A filter as its fields show it: the host's, except while someone types and until the host has what was asked for. */
export class TypedFilter<Filter extends object> {
	readonly #ask: (filter: Filter) => void;
	#value: Filter | undefined;
	#asked: Filter | undefined;
	#timer: number | undefined;

	constructor(ask: (filter: Filter) => void) {
		this.#ask = ask;
	}

	/** Undefined before the host's first. */
	get value(): Filter | undefined {
		return this.#value;
	}

	/** Applies the filter of the host; `isWhole`: nothing that was asked for before is still under way. */
	accept(filter: Filter, isWhole: boolean): void {
		if (isWhole || (this.#asked && isSame(this.#asked, filter))) {
			this.#asked = undefined;
		}
		if (this.#timer === undefined && !this.#asked) {
			this.#value = filter;
		}
	}

	/** Changes fields and asks the host for it; `typed`: a letter, after which others may come. */
	change(change: Partial<Filter>, typed: boolean): void {
		if (this.#value) {
			this.#value = { ...this.#value, ...change };
			clearTimeout(this.#timer);
			this.#timer = window.setTimeout(() => this.ask(), typed ? typingMs : 0);
		}
	}

	/** Asks the host for what the fields show. */
	ask(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#asked = this.#value;
		if (this.#value) {
			this.#ask(this.#value);
		}
	}
}

function isSame<Filter extends object>(one: Filter, other: Filter): boolean {
	const names = Object.keys({ ...one, ...other }) as (keyof Filter)[];
	return names.every(name => one[name] === other[name]);
}
