/** How long to cache results, in milliseconds. */
interface CacheTimes {
	/** Age after which a request loads the list again in the background. Until it's loaded, requests return the old list. */
	readonly getFreshMs: (id: string) => number;
	/** Age after which a failure is forgotten, so that the next request loads the list again. */
	readonly failed: number;
	/** Returns the time of a monotonic clock in milliseconds. Tests replace it. */
	readonly now?: () => number;
}

interface CachedList<T> {
	readonly loading: Promise<readonly T[]>;
	loaded?: readonly T[];
	/** Time when the list was loaded or failed, by the clock {@link CacheTimes.now}. */
	at?: number;
	isFailed?: boolean;
	isRenewing?: boolean;
}

/**
 * Caches one list per connection. Callers can request a list often, for example on every cursor movement, because requests are sent only
 * when the cached list is too old.
 */
export class CachedLists<T> {
	readonly #load: (id: string) => Promise<readonly T[]>;
	readonly #changed: (id: string) => void;
	readonly #times: CacheTimes;
	readonly #lists = new Map<string, CachedList<T>>();

	/** @param changed called when a newly loaded list differs from the previous one, or when a list needs to be loaded again */
	constructor(load: (id: string) => Promise<readonly T[]>, changed: (id: string) => void, times: CacheTimes) {
		this.#load = load;
		this.#changed = changed;
		this.#times = times;
	}

	/** Returns the list of a connection. Rejects if it can't be loaded. */
	get(id: string): Promise<readonly T[]> {
		const list = this.#lists.get(id);
		if (!list || (list.isFailed && this.#isOlder(list, this.#times.failed))) {
			return this.#loadList(id).loading;
		}
		if (list.loaded && this.#isOlder(list, this.#times.getFreshMs(id)) && !list.isRenewing) {
			list.isRenewing = true;
			this.#refreshList(id, list);
		}
		return list.loading;
	}

	/** Returns the list if it's already loaded. Sends no request. */
	getLoadedList(id: string): readonly T[] | undefined {
		return this.#lists.get(id)?.loaded;
	}

	/** Drops a list and reports that it needs to be loaded again. */
	dropList(id: string): void {
		if (this.#lists.delete(id)) {
			this.#changed(id);
		}
	}

	/** Drops a list that was loaded or failed. Keeps one that is being loaded. */
	dropSettledList(id: string): void {
		if (this.#lists.get(id)?.at !== undefined) {
			this.dropList(id);
		}
	}

	#loadList(id: string): CachedList<T> {
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

	#refreshList(id: string, before: CachedList<T>): void {
		const settleList = (list: CachedList<T>, isSame: boolean) => {
			if (this.#lists.get(id) === before) {
				this.#lists.set(id, list);
				if (!isSame) {
					this.#changed(id);
				}
			}
		};
		const loading = this.#load(id);
		loading.then(
			loaded => settleList({ loading, loaded, at: this.#getTime() }, JSON.stringify(loaded) === JSON.stringify(before.loaded)),
			() => settleList({ loading, isFailed: true, at: this.#getTime() }, false),
		);
	}

	#isOlder({ at }: CachedList<T>, ms: number): boolean {
		return at !== undefined && this.#getTime() - at >= ms;
	}

	#getTime(): number {
		return (this.#times.now ?? performance.now.bind(performance))();
	}
}
