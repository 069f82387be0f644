import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isCancellation } from '#base/problems.ts';
import {
	getFilterSpan,
	hasInvalidDates,
	hasLocalCriteria,
	type LogsFilter,
	type LogsSort,
	matchesLocalCriteria,
	sortLogs,
} from '#pages/logs/logsFilter.ts';
import type { LogsTarget } from '#pages/logs/logsMessages.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { getUnknownEntries, hasEntryChanged, isNewestFirst, isSameServiceFilter } from './logEntries.ts';
import type { LogFilter } from './logPage.ts';
import { type LogBatch, LogReader } from './logReader.ts';

/** Maximum number of pages to load in one step if the filter drops many entries. */
const mostPages = 10;
/** Number of matching entries after which a step ends. */
const enough = 50;

/** The loaded entries of one log, or of all logs of a connection. The service sorts and filters them if it can. */
export class LoadedLogs extends DisposableBase {
	readonly #connections: Connections;
	readonly #target: LogsTarget;
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;
	#filter: LogsFilter;
	/** The filter that the loaded entries were requested with. */
	#loadedFilter: LogsFilter;
	#sort: LogsSort;
	/** All loaded entries, newest first. */
	#entries: readonly LogEntry[] = [];
	#ids = new Set<string>();
	#shown: readonly LogEntry[] = [];
	#reader: LogReader | undefined;
	#batch: LogBatch | undefined;
	#read = 0;
	#loading: AbortController | undefined;
	#generation = 0;
	error: unknown;

	constructor(connections: Connections, target: LogsTarget, filter: LogsFilter, sort: LogsSort) {
		super();
		this.#connections = connections;
		this.#target = target;
		this.#filter = this.#loadedFilter = filter;
		this.#sort = sort;
		this.register({ dispose: () => this.#loading?.abort() });
	}

	get filter(): LogsFilter {
		return this.#filter;
	}
	get sort(): LogsSort {
		return this.#sort;
	}
	/** Entries that match the filter, in display order. */
	get shown(): readonly LogEntry[] {
		return this.#shown;
	}
	/** Incremented when entries move in the list. */
	get generation(): number {
		return this.#generation;
	}
	/** Number of entries received from the service. */
	get read(): number {
		return this.#read;
	}
	get total(): number | undefined {
		return this.#batch?.total;
	}
	get hasMore(): boolean {
		return this.#batch?.hasMore ?? false;
	}
	get isLoading(): boolean {
		return this.#loading !== undefined;
	}
	/** True if the first page has been loaded. */
	get isLoaded(): boolean {
		return this.#batch !== undefined;
	}
	/** True if a part of the filter, or the order, applies only to loaded entries. */
	get isPartial(): boolean {
		return this.#filtersHere || !isNewestFirst(this.#sort);
	}
	findEntry(id: string): LogEntry | undefined {
		return this.#shown.find(entry => entry.id === id);
	}

	/** The current filter in the form that services accept. */
	get asked(): LogFilter {
		const { status, text } = this.#filter;
		const span = getFilterSpan(this.#filter, Date.now());
		return { ...(status && { status }), ...(text.trim() !== '' && { keyword: text.trim() }), ...(span && { span }) };
	}

	get #filtersHere(): boolean {
		return hasLocalCriteria(this.#filter) || (this.#batch?.filteredHere ?? false);
	}

	/** Changes the filter. Loads the entries again if the service's part of the filter has changed. */
	async setFilter(filter: LogsFilter): Promise<void> {
		const before = this.#filter;
		this.#filter = filter;
		if (hasInvalidDates(filter)) {
			this.cancelLoading();
		} else if (this.isLoaded && isSameServiceFilter(before, filter)) {
			this.#updateShownEntries();
			await this.#loadMoreIfFew();
		} else {
			await this.reloadEntries();
		}
	}

	setSort(sort: LogsSort): void {
		this.#sort = sort;
		this.#updateShownEntries();
	}

	/** Loads from the start. The current entries stay until the first page has arrived. Never rejects, see `error`. */
	async reloadEntries(): Promise<void> {
		this.#loading?.abort();
		this.#loading = undefined;
		this.#reader = undefined;
		if (!hasInvalidDates(this.#filter)) {
			await this.loadMoreEntries();
		}
	}

	/** Loads the next page, or several pages if few entries match the filter. Never rejects, see `error`. */
	async loadMoreEntries(): Promise<void> {
		if (this.#loading) {
			return;
		}
		const loading = new AbortController();
		this.#loading = loading;
		this.error = undefined;
		this.#changed.fire();
		try {
			await this.#loadPages(loading.signal);
		} catch (error) {
			if (!loading.signal.aborted && !isCancellation(error)) {
				this.error = error;
			}
		} finally {
			if (this.#loading === loading) {
				this.#loading = undefined;
				this.#changed.fire();
			}
		}
	}

	/**
	 * Loads pages until there are new entries. If entries are filtered here, continues until enough of them match. If a page has no new
	 * entries, the log is at its end.
	 */
	async #loadPages(signal: AbortSignal): Promise<void> {
		const goal = this.#shown.length + enough;
		let hasNew = false;
		for (let page = 0; page < mostPages && !signal.aborted; page++) {
			const isNew = await this.#loadPage(signal);
			hasNew ||= isNew;
			if (!this.hasMore || (hasNew && (!this.#filtersHere || this.#shown.length >= goal))) {
				return;
			}
		}
		if (!hasNew && !signal.aborted && this.#batch) {
			this.#batch = { ...this.#batch, hasMore: false };
		}
	}

	/** Cancels loading. Entries that have already arrived stay, unless they were requested with another filter. */
	cancelLoading(): void {
		if (this.#loading && this.#batch && !hasInvalidDates(this.#filter) && !isSameServiceFilter(this.#loadedFilter, this.#filter)) {
			this.#entries = [];
			this.#ids.clear();
			this.#read = 0;
			this.#batch = { ...this.#batch, hasMore: true, total: undefined };
			this.#updateShownEntries();
		}
		this.#loading?.abort();
		this.#loading = undefined;
		this.#changed.fire();
	}

	/** Adds and updates new and changed entries at the top. Returns the number of added rows. Never rejects, see `error`. */
	async refreshFirstPage(): Promise<number> {
		if (this.#loading || !this.isLoaded || hasInvalidDates(this.#filter)) {
			return 0;
		}
		const list = this.#reader;
		try {
			return await this.#updateFirstPage();
		} catch (error) {
			if (list === this.#reader) {
				this.error = error;
				this.#changed.fire();
			}
			return 0;
		}
	}

	async #updateFirstPage(): Promise<number> {
		const list = this.#reader;
		const reader = await this.#createReader();
		const batch = await reader.readNextBatch();
		// the list may have been reset meanwhile, or no entry of the page matches the filter
		if (this.#loading || this.disposed || list !== this.#reader || batch.entries.length === 0) {
			return 0;
		}
		const before = this.#shown.length;
		const added = getUnknownEntries(batch.entries, this.#ids);
		if (added.length === batch.entries.length && batch.hasMore) {
			// all entries of the page are new, so there may be more new ones after the page
			this.#resetEntries(reader);
			this.#addBatch(batch);
			this.#updateShownEntries();
			return 0;
		}
		const fresh = new Map(batch.entries.map(entry => [entry.id, entry]));
		if (added.length === 0 && !this.#entries.some(entry => hasEntryChanged(entry, fresh.get(entry.id)))) {
			return 0;
		}
		this.#entries = [...added, ...this.#entries.map(entry => fresh.get(entry.id) ?? entry)];
		this.#ids = new Set(this.#entries.map(({ id }) => id));
		this.#read += added.length;
		this.#batch = { ...batch, hasMore: this.hasMore, filteredHere: batch.filteredHere || (this.#batch?.filteredHere ?? false) };
		this.#updateShownEntries();
		return this.#shown.length - before;
	}

	async #loadMoreIfFew(): Promise<void> {
		if (this.hasMore && this.#shown.length < enough) {
			await this.loadMoreEntries();
		}
	}

	/** Loads the next page. Returns true if it has new entries, even if the filter drops them. */
	async #loadPage(signal: AbortSignal): Promise<boolean> {
		const reader = this.#reader ?? (await this.#createReader());
		const batch = await reader.readNextBatch(signal);
		if (signal.aborted) {
			return false;
		}
		const isFirst = this.#reader === undefined;
		if (isFirst) {
			this.#resetEntries(reader);
		}
		const added = this.#addBatch(batch);
		if (isFirst || !isNewestFirst(this.#sort)) {
			this.#updateShownEntries();
		} else {
			this.#shown = [...this.#shown, ...added.filter(entry => matchesLocalCriteria(entry, this.#filter))];
			this.#changed.fire();
		}
		return added.length > 0 || (batch.entries.length === 0 && batch.read > 0);
	}

	async #createReader(): Promise<LogReader> {
		const { connectionId, agent } = this.#target;
		const agents = agent === undefined ? (await this.#connections.listAgents(connectionId)).map(({ name }) => name) : [agent];
		return new LogReader(this.#connections, connectionId, agents, this.asked);
	}

	#resetEntries(reader: LogReader): void {
		this.#reader = reader;
		this.#loadedFilter = this.#filter;
		this.#entries = [];
		this.#ids.clear();
		this.#read = 0;
		this.#shown = [];
	}

	/** Appends a batch, and returns its new entries. Some may already be known, because pages shift while the list grows. */
	#addBatch(batch: LogBatch): readonly LogEntry[] {
		const added = getUnknownEntries(batch.entries, this.#ids);
		for (const { id } of added) {
			this.#ids.add(id);
		}
		this.#entries = [...this.#entries, ...added];
		this.#batch = batch;
		this.#read += batch.read;
		return added;
	}

	#updateShownEntries(): void {
		const matching = hasLocalCriteria(this.#filter)
			? this.#entries.filter(entry => matchesLocalCriteria(entry, this.#filter))
			: this.#entries;
		this.#shown = sortLogs(matching, this.#sort);
		this.#generation++;
		this.#changed.fire();
	}
}
