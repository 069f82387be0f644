/** How long results are cached, in milliseconds. */
interface CacheTimes {
	/** After this time, the next request loads the list again. The old list is returned until then. */
	readonly getFreshMs: (id: string) => number;
	/** Time that a failure is returned before the service is asked again. */
	readonly failed: number;
	/** Returns the milliseconds of a monotonic clock, for tests. */
	readonly now?: () => number;
}

interface CachedList<T> {
	readonly loading: Promise<readonly T[]>;
	loaded?: readonly T[];
	/** Time of settling, by the clock of {@link CacheTimes.now}. */
	at?: number;
	isFailed?: boolean;
	isRenewing?: boolean;
}

/**
 * Caches one list per connection, loaded on first use. Callers may ask as often as they like, for example at each movement of the cursor: requests are
 * sent only once in a while.
 */
export class CachedLists<T> {
	readonly #load: (id: string) => Promise<readonly T[]>;
	readonly #changed: (id: string) => void;
	readonly #times: CacheTimes;
	readonly #lists = new Map<string, CachedList<T>>();

	/** @param changed is called when a list was loaded and differs from the one before, or needs to be loaded again */
	constructor(load: (id: string) => Promise<readonly T[]>, changed: (id: string) => void, times: CacheTimes) {
		this.#load = load;
		this.#changed = changed;
		this.#times = times;
	}

	/** Returns the list of a connection. Rejects if it can't be loaded. */
	get(id: string): Promise<readonly T[]> {
		const list = this.#lists.get(id);
		if (!list || (list.isFailed && this.#isOlder(list, this.#times.failed))) {
			return this.#loadFirst(id).loading;
		}
		if (list.loaded && this.#isOlder(list, this.#times.getFreshMs(id)) && !list.isRenewing) {
			list.isRenewing = true;
			this.#refresh(id, list);
		}
		return list.loading;
	}

	/** Returns the list if it is loaded, without sending a request. */
	getLoaded(id: string): readonly T[] | undefined {
		return this.#lists.get(id)?.loaded;
	}

	/** Drops a list, and reports that it needs to be loaded again. */
	reload(id: string): void {
		if (this.#lists.delete(id)) {
			this.#changed(id);
		}
	}

	/** Drops a list that was loaded or failed, but not one that is being loaded. */
	reloadSettled(id: string): void {
		if (this.#lists.get(id)?.at !== undefined) {
			this.reload(id);
		}
	}

	#loadFirst(id: string): CachedList<T> {
		const list: CachedList<T> = { loading: this.#load(id) };
		this.#lists.set(id, list);
		list.loading.then(
			loaded => {
				Object.assign(list, { loaded, at: this.#getTime() });
				if (this.#lists.get(id) === list) {
					this.#changed(id);
				}
			},
			// callers get the error from `loading`
			() => Object.assign(list, { isFailed: true, at: this.#getTime() }),
		);
		return list;
	}

	#refresh(id: string, before: CachedList<T>): void {
		const settle = (list: CachedList<T>, isSame: boolean) => {
			if (this.#lists.get(id) === before) {
				this.#lists.set(id, list);
				if (!isSame) {
					this.#changed(id);
				}
			}
		};
		const loading = this.#load(id);
		loading.then(
			loaded => settle({ loading, loaded, at: this.#getTime() }, JSON.stringify(loaded) === JSON.stringify(before.loaded)),
			() => settle({ loading, isFailed: true, at: this.#getTime() }, false),
		);
	}

	#isOlder({ at }: CachedList<T>, ms: number): boolean {
		return at !== undefined && this.#getTime() - at >= ms;
	}

	#getTime(): number {
		return (this.#times.now ?? performance.now.bind(performance))();
	}
}
