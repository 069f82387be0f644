import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isCancellation } from '#base/problems.ts';
import {
	filtersLocally,
	fitsLocally,
	hasWrongDates,
	type LogsFilter,
	type LogsSort,
	sorted,
	spanOfFilter,
} from '#pages/logs/logsFilter.ts';
import type { LogsTarget } from '#pages/logs/logsMessages.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { hasChanged, unknownEntries } from './logEntries.ts';
import type { LogFilter } from './logPage.ts';
import { type LogBatch, LogReader } from './logReader.ts';

/** Pages that one step loads at most where much of them may be left out, and entries that are enough of it. */
const mostPages = 10;
const enough = 50;

/**
 * The entries of one log, or of all of a connection, as far as they were loaded: filtered by the service as far as it can, by the rest of the filter
 * here, and sorted.
 */
export class LoadedLogs extends DisposableBase {
	readonly #connections: Connections;
	readonly #target: LogsTarget;
	readonly #changed = this.own(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;
	#filter: LogsFilter;
	#sort: LogsSort;
	/** All that came, newest first. */
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
		this.#filter = filter;
		this.#sort = sort;
		this.own({ dispose: () => this.#loading?.abort() });
	}

	get filter(): LogsFilter {
		return this.#filter;
	}
	get sort(): LogsSort {
		return this.#sort;
	}
	/** What is listed, in its order. */
	get shown(): readonly LogEntry[] {
		return this.#shown;
	}
	/** Changes when entries have other places in the list than before. */
	get generation(): number {
		return this.#generation;
	}
	/** Entries that the service gave. */
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
	/** Whether the first page came. */
	get isLoaded(): boolean {
		return this.#batch !== undefined;
	}
	/** Whether a part of the filter, or the order, holds for what was loaded alone. */
	get isPartial(): boolean {
		return this.#filtersHere || !isNewestFirst(this.#sort);
	}
	/** The entry of an ID, if it is listed. */
	entry(id: string): LogEntry | undefined {
		return this.#shown.find(entry => entry.id === id);
	}

	/** The filter as services take it, as it is now. */
	get asked(): LogFilter {
		const { status, text } = this.#filter;
		const span = spanOfFilter(this.#filter, Date.now());
		return { ...(status && { status }), ...(text.trim() !== '' && { keyword: text.trim() }), ...(span && { span }) };
	}

	get #filtersHere(): boolean {
		return filtersLocally(this.#filter) || (this.#batch?.filteredHere ?? false);
	}

	/** Narrows the list down to something else; what the service filters by is asked for anew. */
	async setFilter(filter: LogsFilter): Promise<void> {
		const before = this.#filter;
		this.#filter = filter;
		if (hasWrongDates(filter)) {
			this.cancel();
		} else if (this.isLoaded && sameAtService(before, filter)) {
			this.#list();
			await this.#fillUp();
		} else {
			await this.reload();
		}
	}

	setSort(sort: LogsSort): void {
		this.#sort = sort;
		this.#list();
	}

	/** Begins anew; what was there stays until the first page has come. Never rejects: see `error`. */
	async reload(): Promise<void> {
		this.#loading?.abort();
		this.#loading = undefined;
		this.#reader = undefined;
		if (!hasWrongDates(this.#filter)) {
			await this.loadMore();
		}
	}

	/** Loads the next page, or several where only few of them fit the filter. Never rejects. */
	async loadMore(): Promise<void> {
		if (this.#loading) {
			return;
		}
		const loading = new AbortController();
		this.#loading = loading;
		this.error = undefined;
		this.#changed.fire();
		try {
			await this.#loadSome(loading.signal);
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

	/** Loads pages until there is something new, and where much is left out, until there is enough of it. A log that has nothing new to give is at its end. */
	async #loadSome(signal: AbortSignal): Promise<void> {
		const goal = this.#shown.length + enough;
		let isNews = false;
		for (let page = 0; page < mostPages && !signal.aborted; page++) {
			const given = await this.#load(signal);
			isNews ||= given;
			if (!this.hasMore || (isNews && (!this.#filtersHere || this.#shown.length >= goal))) {
				return;
			}
		}
		if (!isNews && !signal.aborted && this.#batch) {
			this.#batch = { ...this.#batch, hasMore: false };
		}
	}

	/** Ends what loads; what came of it stays. */
	cancel(): void {
		this.#loading?.abort();
		this.#loading = undefined;
		this.#changed.fire();
	}

	/** Takes up what is new, or has changed, at the top; returns how many entries came to the list. Never rejects: see `error`. */
	async refreshTop(): Promise<number> {
		if (this.#loading || !this.isLoaded || hasWrongDates(this.#filter)) {
			return 0;
		}
		const list = this.#reader;
		try {
			return await this.#takeTop();
		} catch (error) {
			if (list === this.#reader) {
				this.error = error;
				this.#changed.fire();
			}
			return 0;
		}
	}

	async #takeTop(): Promise<number> {
		const list = this.#reader;
		const reader = await this.#newReader();
		const batch = await reader.next();
		// another list may have begun, and nothing of a page may fit the filter
		if (this.#loading || this.disposed || list !== this.#reader || batch.entries.length === 0) {
			return 0;
		}
		const before = this.#shown.length;
		const added = unknownEntries(batch.entries, this.#ids);
		if (added.length === batch.entries.length && batch.hasMore) {
			// more came than a page holds: what lies between is not known
			this.#begin(reader);
			this.#take(batch);
			this.#list();
			return 0;
		}
		const fresh = new Map(batch.entries.map(entry => [entry.id, entry]));
		if (added.length === 0 && !this.#entries.some(entry => hasChanged(entry, fresh.get(entry.id)))) {
			return 0;
		}
		this.#entries = [...added, ...this.#entries.map(entry => fresh.get(entry.id) ?? entry)];
		this.#ids = new Set(this.#entries.map(({ id }) => id));
		this.#read += added.length;
		this.#batch = { ...batch, hasMore: this.hasMore, filteredHere: batch.filteredHere || (this.#batch?.filteredHere ?? false) };
		this.#list();
		return this.#shown.length - before;
	}

	async #fillUp(): Promise<void> {
		if (this.hasMore && this.#shown.length < enough) {
			await this.loadMore();
		}
	}

	/** Loads the next page; says whether anything of it is new, be it left out. */
	async #load(signal: AbortSignal): Promise<boolean> {
		const reader = this.#reader ?? (await this.#newReader());
		const batch = await reader.next(signal);
		if (signal.aborted) {
			return false;
		}
		const isFirst = this.#reader === undefined;
		if (isFirst) {
			this.#begin(reader);
		}
		const came = this.#take(batch);
		if (isFirst || !isNewestFirst(this.#sort)) {
			this.#list();
		} else {
			this.#shown = [...this.#shown, ...came.filter(entry => fitsLocally(entry, this.#filter))];
			this.#changed.fire();
		}
		return came.length > 0 || (batch.entries.length === 0 && batch.read > 0);
	}

	async #newReader(): Promise<LogReader> {
		const { connectionId, agent } = this.#target;
		const agents = agent === undefined ? (await this.#connections.agents(connectionId)).map(({ name }) => name) : [agent];
		return new LogReader(this.#connections, connectionId, agents, this.asked);
	}

	#begin(reader: LogReader): void {
		this.#reader = reader;
		this.#entries = [];
		this.#ids.clear();
		this.#read = 0;
		this.#shown = [];
	}

	/** Takes a batch up; returns what is new of it: a list that grows meanwhile shifts its pages. */
	#take(batch: LogBatch): readonly LogEntry[] {
		const came = unknownEntries(batch.entries, this.#ids);
		for (const { id } of came) {
			this.#ids.add(id);
		}
		this.#entries = [...this.#entries, ...came];
		this.#batch = batch;
		this.#read += batch.read;
		return came;
	}

	#list(): void {
		const fitting = filtersLocally(this.#filter) ? this.#entries.filter(entry => fitsLocally(entry, this.#filter)) : this.#entries;
		this.#shown = sorted(fitting, this.#sort);
		this.#generation++;
		this.#changed.fire();
	}
}

/** Whether two filters ask a service for the same. */
function sameAtService(a: LogsFilter, b: LogsFilter): boolean {
	const asked = ({ range, from, to, status, text }: LogsFilter) => JSON.stringify([range, from, to, status, text.trim()]);
	return asked(a) === asked(b);
}

/** Whether entries stand in the order in which they come. */
function isNewestFirst({ by, descending }: LogsSort): boolean {
	return by === 'time' && descending;
}
