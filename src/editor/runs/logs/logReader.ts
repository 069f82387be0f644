import { runConcurrently } from '#base/timing/runConcurrently.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { type LogFilter, readLogPage } from './logPage.ts';

/** Number of entries per page. This is the maximum that services accept (contract A4). */
const pageSize = 100;
/** Maximum number of concurrent requests, because a connection can have very many agents. */
const atOnce = 8;

/** The next entries of one log, or of several merged logs. */
export interface LogBatch {
	readonly entries: readonly LogEntry[];
	readonly hasMore: boolean;
	/** Number of all entries that match the filter, if the service counts them. */
	readonly total: number | undefined;
	/** Number of entries received from the service for this batch. */
	readonly read: number;
	/** True if the service returned entries that don't match the filter. */
	readonly filteredHere: boolean;
}

/** Read position in the log of one agent. */
interface Cursor {
	readonly agent: string;
	page: number;
	entries: readonly LogEntry[];
	hasMore: boolean;
	total: number | undefined;
}

/** Reads the logs of a connection's agents as one merged log, newest first. After a failed request, the next call sends it again. */
export class LogReader {
	readonly #connections: Connections;
	readonly #connectionId: string;
	readonly #filter: LogFilter;
	readonly #cursors: readonly Cursor[];
	/** Entries for the next batch. They are kept if a later request fails. */
	#waiting: LogEntry[] = [];
	#read = 0;
	#filteredHere = false;

	constructor(connections: Connections, connectionId: string, agents: readonly string[], filter: LogFilter) {
		this.#connections = connections;
		this.#connectionId = connectionId;
		this.#filter = filter;
		this.#cursors = agents.map(agent => ({ agent, page: 1, entries: [], hasMore: true, total: undefined }));
	}

	/** Returns the next page of entries, or fewer if many don't match the filter. Rejects with the problem of the connection. */
	async readNextBatch(signal?: AbortSignal): Promise<LogBatch> {
		const entries = this.#waiting;
		for (let filled = false; entries.length < pageSize; ) {
			const empty = this.#cursors.filter(cursor => cursor.entries.length === 0 && cursor.hasMore);
			if (empty.length > 0) {
				if (filled && entries.length === 0) {
					break;
				}
				filled = true;
				await runConcurrently(empty, atOnce, signal, cursor => this.#fillCursor(cursor, signal));
				signal?.throwIfAborted();
				if (empty.some(cursor => cursor.entries.length === 0 && cursor.hasMore)) {
					break;
				}
			}
			const newest = findNewestCursor(this.#cursors);
			const [first, ...rest] = newest?.entries ?? [];
			if (!newest || !first) {
				break;
			}
			if (this.#cursors.length === 1) {
				// a service may ignore the limit, and a call can't have that many arguments
				for (const entry of newest.entries) {
					entries.push(entry);
				}
				newest.entries = [];
				break;
			}
			entries.push(first);
			newest.entries = rest;
		}
		const totals = this.#cursors.map(({ total }) => total);
		const read = this.#read;
		this.#waiting = [];
		this.#read = 0;
		return {
			entries,
			hasMore: this.#cursors.some(cursor => cursor.hasMore || cursor.entries.length > 0),
			total: totals.reduce((sum, total) => (sum === undefined || total === undefined ? undefined : sum + total), 0),
			read,
			filteredHere: this.#filteredHere,
		};
	}

	async #fillCursor(cursor: Cursor, signal: AbortSignal | undefined): Promise<void> {
		const { agent, page } = cursor;
		const owner = { connectionId: this.#connectionId, agent };
		const found = await readLogPage(this.#connections, owner, this.#filter, { page, limit: pageSize }, signal && { signal });
		// a newer call may be using the cursor by now
		signal?.throwIfAborted();
		cursor.page++;
		cursor.entries = found.rows.map(row => ({ ...row, agent }));
		// after an empty page there are no more entries, even if the service claims so
		cursor.hasMore = found.hasMore && found.read > 0;
		cursor.total = found.total;
		this.#filteredHere ||= found.filteredHere;
		this.#read += found.read;
	}
}

function findNewestCursor(cursors: readonly Cursor[]): Cursor | undefined {
	let newest: Cursor | undefined;
	for (const cursor of cursors) {
		const at = cursor.entries[0]?.createdAt ?? Number.NEGATIVE_INFINITY;
		if (cursor.entries.length > 0 && (newest === undefined || at > (newest.entries[0]?.createdAt ?? Number.NEGATIVE_INFINITY))) {
			newest = cursor;
		}
	}
	return newest;
}
