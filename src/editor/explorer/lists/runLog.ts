import type { LogRow } from '#runs/logs/logEntry.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { type LogFilter, type LogPage, readLogPage } from '../../runs/logs/logPage.ts';
import { PagedRows } from './pagedRows.ts';

const pageSize = 50;

/** The service's log of an agent's runs, loaded in pages and filtered by status, keyword and time. */
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
		this.pages = new PagedRows(cursor => this.#fetchPage(cursor.page), changed);
	}

	get filter(): LogFilter {
		return this.#filter;
	}

	/** True if the service ignored the filter, so that only the entries loaded so far are filtered, in this editor. */
	get filtersHere(): boolean {
		return this.#filtersHere;
	}

	setFilter(filter: LogFilter): void {
		this.#filter = filter;
		this.#filtersHere = false;
		this.pages.dropRows();
	}

	/** True if a loaded entry is still running. */
	get active(): boolean {
		return this.pages.rows.some(row => row.status === 'running');
	}

	async #fetchPage(page: number): Promise<LogPage> {
		const owner = { connectionId: this.#connectionId, agent: this.#agent };
		const found = await readLogPage(this.#connections, owner, this.#filter, { page: page + 1, limit: pageSize });
		this.#filtersHere ||= found.filteredHere;
		return found;
	}
}
