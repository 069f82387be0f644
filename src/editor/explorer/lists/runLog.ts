import type { LogRow } from '#runs/logs/logEntry.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { type LogFilter, type LogPage, readLogPage } from '../../runs/logs/logPage.ts';
import { PagedRows } from './pagedRows.ts';

const pageSize = 50;

/** The service's log of an agent (A4), page by page, filtered by status, keyword and time. */
export class RunLog {
	readonly #connections: Connections;
	readonly #connectionId: string;
	readonly #agent: string;
	readonly pages: PagedRows<LogRow>;
	#filter: LogFilter = {};
	#filtersHere = false;

	constructor(connections: Connections, connectionId: string, agent: string, changed: () => void) {
		this.#connections = connections;
		this.#connectionId = connectionId;
		this.#agent = agent;
		this.pages = new PagedRows(cursor => this.#fetch(cursor.page), changed);
	}

	get filter(): LogFilter {
		return this.#filter;
	}

	/** Whether the service gave what the filter leaves out: it cannot filter so, and only what is loaded is looked at. */
	get filtersHere(): boolean {
		return this.#filtersHere;
	}

	setFilter(filter: LogFilter): void {
		this.#filter = filter;
		this.#filtersHere = false;
		this.pages.reset();
	}

	/** Whether an entry that is shown still runs: the reason to look again. */
	get active(): boolean {
		return this.pages.rows.some(row => row.status === 'running');
	}

	async #fetch(page: number): Promise<LogPage> {
		const owner = { connectionId: this.#connectionId, agent: this.#agent };
		const found = await readLogPage(this.#connections, owner, this.#filter, { page: page + 1, limit: pageSize });
		this.#filtersHere ||= found.filteredHere;
		return found;
	}
}
