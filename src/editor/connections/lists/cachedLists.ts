/** How long what was loaded counts, in milliseconds. */
interface CacheTimes {
	/** After this a list is loaded again when it is asked for next; the one before is handed out meanwhile. */
	readonly fresh: (id: string) => number;
	/** A failure is handed out for so long before the service is asked again. */
	readonly failed: number;
	/** Milliseconds on any clock that does not go back; for tests. */
	readonly now?: () => number;
}

interface CachedList<T> {
	/** Settled once, list or error. */
	readonly loading: Promise<readonly T[]>;
	loaded?: readonly T[];
	/** When it was settled. */
	at?: number;
	isFailed?: boolean;
	isRenewing?: boolean;
}

/**
 * Lists that services keep, one a connection, loaded when they are first asked for and by whom asks first: however often an editor asks, at each
 * movement of a cursor say, a service hears of it once in a while.
 */
export class CachedLists<T> {
	readonly #load: (id: string) => Promise<readonly T[]>;
	readonly #changed: (id: string) => void;
	readonly #times: CacheTimes;
	readonly #lists = new Map<string, CachedList<T>>();

	/** `changed` hears of a list that was loaded and is another than before, and of one that is to be asked for again. */
	constructor(load: (id: string) => Promise<readonly T[]>, changed: (id: string) => void, times: CacheTimes) {
		this.#load = load;
		this.#changed = changed;
		this.#times = times;
	}

	/** The list of a connection. Rejects as loading it does. */
	get(id: string): Promise<readonly T[]> {
		const list = this.#lists.get(id);
		if (!list || (list.isFailed && this.#isOlder(list, this.#times.failed))) {
			return this.#begin(id).loading;
		}
		if (list.loaded && this.#isOlder(list, this.#times.fresh(id)) && !list.isRenewing) {
			list.isRenewing = true;
			this.#renew(id, list);
		}
		return list.loading;
	}

	/** The list as far as it is loaded: nothing is sent. */
	known(id: string): readonly T[] | undefined {
		return this.#lists.get(id)?.loaded;
	}

	/** Forgets a list, and tells that it is to be asked for again. */
	reload(id: string): void {
		if (this.#lists.delete(id)) {
			this.#changed(id);
		}
	}

	/** Forgets a list that was loaded or failed; one that is just being loaded is new enough. */
	reloadSettled(id: string): void {
		if (this.#lists.get(id)?.at !== undefined) {
			this.reload(id);
		}
	}

	#begin(id: string): CachedList<T> {
		const list: CachedList<T> = { loading: this.#load(id) };
		this.#lists.set(id, list);
		list.loading.then(
			loaded => {
				Object.assign(list, { loaded, at: this.#now() });
				if (this.#lists.get(id) === list) {
					this.#changed(id);
				}
			},
			// whoever asked gets the error
			() => Object.assign(list, { isFailed: true, at: this.#now() }),
		);
		return list;
	}

	#renew(id: string, before: CachedList<T>): void {
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
			loaded => settle({ loading, loaded, at: this.#now() }, JSON.stringify(loaded) === JSON.stringify(before.loaded)),
			() => settle({ loading, isFailed: true, at: this.#now() }, false),
		);
	}

	#isOlder({ at }: CachedList<T>, ms: number): boolean {
		return at !== undefined && this.#now() - at >= ms;
	}

	#now(): number {
		return (this.#times.now ?? performance.now.bind(performance))();
	}
}
