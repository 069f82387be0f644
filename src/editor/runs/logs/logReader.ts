import { inTurns } from '#base/timing/inTurns.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { type LogFilter, readLogPage } from './logPage.ts';

/** Entries asked for at a time: the most that services take (contract A4). */
const pageSize = 100;
/** Logs asked for at a time: a connection may have very many agents. */
const atOnce = 8;

/** What came next of one log, or of several as one. */
export interface LogBatch {
	readonly entries: readonly LogEntry[];
	readonly hasMore: boolean;
	/** Of all, where the service counts what the filter leaves. */
	readonly total: number | undefined;
	/** Entries that the service gave for it. */
	readonly read: number;
	/** The service gave what the filter leaves out. */
	readonly filteredHere: boolean;
}

/** How far the log of one agent was read. */
interface Cursor {
	readonly agent: string;
	page: number;
	entries: readonly LogEntry[];
	hasMore: boolean;
	total: number | undefined;
}

/** Reads the logs of agents of one connection as one, newest first, page by page. What failed is tried again by the next call. */
export class LogReader {
	readonly #connections: Connections;
	readonly #connectionId: string;
	readonly #filter: LogFilter;
	readonly #cursors: readonly Cursor[];
	/** What came, and is to be given: it stays where a page after it fails. */
	#waiting: LogEntry[] = [];
	#read = 0;
	#filteredHere = false;

	constructor(connections: Connections, connectionId: string, agents: readonly string[], filter: LogFilter) {
		this.#connections = connections;
		this.#connectionId = connectionId;
		this.#filter = filter;
		this.#cursors = agents.map(agent => ({ agent, page: 1, entries: [], hasMore: true, total: undefined }));
	}

	/** The next entries: a page of them, or fewer where the service gave much that the filter leaves out. Rejects with the problem of the connection. */
	async next(signal?: AbortSignal): Promise<LogBatch> {
		const entries = this.#waiting;
		for (let filled = false; entries.length < pageSize; ) {
			const empty = this.#cursors.filter(cursor => cursor.entries.length === 0 && cursor.hasMore);
			if (empty.length > 0) {
				if (filled && entries.length === 0) {
					break;
				}
				filled = true;
				await inTurns(empty, atOnce, signal, cursor => this.#fill(cursor, signal));
				signal?.throwIfAborted();
				if (empty.some(cursor => cursor.entries.length === 0 && cursor.hasMore)) {
					break;
				}
			}
			const newest = newestOf(this.#cursors);
			const [first, ...rest] = newest?.entries ?? [];
			if (!newest || !first) {
				break;
			}
			if (this.#cursors.length === 1) {
				entries.push(first, ...rest);
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

	async #fill(cursor: Cursor, signal: AbortSignal | undefined): Promise<void> {
		const { agent, page } = cursor;
		const owner = { connectionId: this.#connectionId, agent };
		const found = await readLogPage(this.#connections, owner, this.#filter, { page, limit: pageSize }, signal && { signal });
		// another may read on by now
		signal?.throwIfAborted();
		cursor.page++;
		cursor.entries = found.rows.map(row => ({ ...row, agent }));
		// behind a page with nothing there is nothing, whatever its service says
		cursor.hasMore = found.hasMore && found.read > 0;
		cursor.total = found.total;
		this.#filteredHere ||= found.filteredHere;
		this.#read += found.read;
	}
}

function newestOf(cursors: readonly Cursor[]): Cursor | undefined {
	let newest: Cursor | undefined;
	for (const cursor of cursors) {
		const at = cursor.entries[0]?.createdAt ?? Number.NEGATIVE_INFINITY;
		if (cursor.entries.length > 0 && (newest === undefined || at > (newest.entries[0]?.createdAt ?? Number.NEGATIVE_INFINITY))) {
			newest = cursor;
		}
	}
	return newest;
}
