import { getErrorMessage } from '#base/problems.ts';

/** A page of a list from a service. */
export interface RowsPage<T> {
	readonly rows: readonly T[];
	readonly hasMore: boolean;
	/** Number of rows in the complete list, if the service counts them. */
	readonly total?: number;
}

/** The position at which a page starts: the number of pages before it, and the last row before it. */
export interface Cursor<T> {
	readonly page: number;
	readonly last: T | undefined;
}

/** Maximum number of rows in memory. Earlier rows are dropped. */
const mostRows = 500;

/**
 * A window on a long list of a service. Adds pages at its end, drops rows at its start, and can add new rows at the top. Rows are
 * identified by ID, because pages shift while the list grows.
 */
export class PagedRows<T extends { readonly id: string }> {
	readonly #fetch: (cursor: Cursor<T>) => Promise<RowsPage<T>>;
	readonly #changed: () => void;
	#rows: readonly T[] = [];
	#pages = 0;
	#dropped = 0;
	#hasMore = false;
	#total: number | undefined;
	#error: unknown;
	#loading: Promise<void> | undefined;
	#generation = 0;

	/** `changed` is called after the value of any getter has changed. */
	constructor(fetch: (cursor: Cursor<T>) => Promise<RowsPage<T>>, changed: () => void) {
		this.#fetch = fetch;
		this.#changed = changed;
	}

	get rows(): readonly T[] {
		return this.#rows;
	}
	get hasMore(): boolean {
		return this.#hasMore;
	}
	/** Number of rows that were dropped at the start. */
	get dropped(): number {
		return this.#dropped;
	}
	get total(): number | undefined {
		return this.#total;
	}
	/** Error that occurred while loading the last page. The rows before it are kept. */
	get error(): unknown {
		return this.#error;
	}
	/** True if the first page has been requested. */
	get started(): boolean {
		return this.#pages > 0 || this.#loading !== undefined || this.#error !== undefined;
	}

	/** Loads the first page if it hasn't been loaded yet. Never rejects, see {@link error}. */
	async start(): Promise<void> {
		if (this.#pages === 0 && this.#error === undefined) {
			await this.loadNextPage();
		} else {
			await this.#loading;
		}
	}

	/** Loads the next page. Resolves to the first new row. */
	async loadNextPage(): Promise<T | undefined> {
		const before = this.#rows.at(-1);
		this.#loading ??= this.#startLoading();
		await this.#loading;
		return this.#rows[this.#rows.findIndex(row => row.id === before?.id) + 1];
	}

	/** Drops all rows. The next {@link start} loads the first page again. */
	dropRows(): void {
		this.#reset();
		this.#changed();
	}

	#reset(): void {
		this.#generation++;
		this.#loading = undefined;
		this.#rows = [];
		this.#pages = 0;
		this.#dropped = 0;
		this.#hasMore = false;
		this.#total = undefined;
		this.#error = undefined;
	}

	/** Refreshes the first page if no rows have been dropped. If that fails, keeps the current rows. */
	async refreshFirstPage(): Promise<void> {
		// the service may have sent the page that is being loaded before the change
		await this.#loading;
		if (this.#pages === 0 || this.#dropped > 0 || this.#loading) {
			return;
		}
		const generation = this.#generation;
		const page = await this.#fetch({ page: 0, last: undefined }).catch((error: unknown) => void getErrorMessage(error));
		if (!page || generation !== this.#generation) {
			return;
		}
		const fresh = new Set(page.rows.map(row => row.id));
		if (page.hasMore && fresh.size > 0 && !this.#rows.some(row => fresh.has(row.id))) {
			// there may be more new rows after the page
			this.#reset();
			this.#appendPage(page);
			this.#changed();
			return;
		}
		// a page with the complete list also shows which rows no longer exist
		const rest = page.hasMore ? this.#rows.filter(row => !fresh.has(row.id)) : [];
		this.#rows = joinRows(page.rows, rest).slice(0, mostRows);
		this.#hasMore = page.hasMore && (this.#hasMore || rest.length === 0 || this.#pages === 1);
		this.#total = page.total;
		this.#changed();
	}

	/** Replaces the row with this ID, or removes it if `row` is undefined. */
	replaceRow(id: string, row: T | undefined): void {
		this.#rows = this.#rows.flatMap(each => (each.id === id ? (row ? [row] : []) : [each]));
		this.#changed();
	}

	#startLoading(): Promise<void> {
		const loading = this.#loadPage().finally(() => {
			// after a reset, another page may be loading
			if (this.#loading === loading) {
				this.#loading = undefined;
			}
			this.#changed();
		});
		return loading;
	}

	async #loadPage(): Promise<void> {
		const generation = this.#generation;
		try {
			const page = await this.#fetch({ page: this.#pages, last: this.#rows.at(-1) });
			if (generation === this.#generation) {
				this.#appendPage(page);
			}
		} catch (error) {
			if (generation === this.#generation) {
				this.#error = error;
			}
		}
	}

	#appendPage(page: RowsPage<T>): void {
		const rows = joinRows(this.#rows, page.rows);
		const excess = Math.max(0, rows.length - mostRows);
		this.#rows = rows.slice(excess);
		this.#dropped += excess;
		this.#pages++;
		this.#hasMore = page.hasMore;
		this.#total = page.total ?? this.#total;
		this.#error = undefined;
	}
}

/** Joins rows. If several have the same ID, the first one counts. */
function joinRows<T extends { readonly id: string }>(rows: readonly T[], more: readonly T[]): readonly T[] {
	const ids = new Set<string>();
	return [...rows, ...more].filter(({ id }) => !ids.has(id) && ids.add(id));
}
