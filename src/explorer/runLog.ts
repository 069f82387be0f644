import type { Connections } from '../connections/connectionTypes.ts';
import { timestampToMs } from '../protocol/timestamps.ts';
import type { LogStatus, WorkflowLog } from '../protocol/workflows.ts';
import { type Page, PagedRows } from './pagedRows.ts';

/** What the tree keeps of an entry of the service's log: no more than it shows. */
export interface LogRow {
	/** ID of the log entry. */
	readonly id: string;
	readonly runId: string;
	readonly status: string;
	readonly error: string;
	readonly elapsedSeconds: number;
	readonly tokens: number;
	/** Unix milliseconds. */
	readonly createdAt: number | undefined;
	readonly user: string;
}

/** What a log is narrowed down to. */
export interface LogFilter {
	readonly status?: LogStatus;
	readonly keyword?: string;
}

const pageSize = 50;

/** The service's log of an agent (A4), page by page, filtered by status and keyword. */
export class RunLog {
	readonly #connections: Connections;
	readonly #connectionId: string;
	readonly #agent: string;
	readonly pages: PagedRows<LogRow>;
	#filter: LogFilter = {};

	constructor(connections: Connections, connectionId: string, agent: string, changed: () => void) {
		this.#connections = connections;
		this.#connectionId = connectionId;
		this.#agent = agent;
		this.pages = new PagedRows(cursor => this.#fetch(cursor.page), changed);
	}

	get filter(): LogFilter {
		return this.#filter;
	}

	setFilter(filter: LogFilter): void {
		this.#filter = filter;
		this.pages.reset();
	}

	/** Whether an entry that is shown still runs: the reason to look again. */
	get active(): boolean {
		return this.pages.rows.some(row => row.status === 'running');
	}

	async #fetch(page: number): Promise<Page<LogRow>> {
		try {
			const client = await this.#connections.client(this.#connectionId, { ask: false });
			const answer = await client.listLogs({ model: this.#agent, ...this.#filter, page: page + 1, limit: pageSize });
			return { rows: answer.data.map(toRow), hasMore: answer.has_more, total: answer.total };
		} catch (error) {
			throw this.#connections.problem(this.#connectionId, error);
		}
	}
}

function toRow({ id, workflow_run: run, created_by_end_user: user, created_by_account: account, created_at }: WorkflowLog): LogRow {
	return {
		id,
		runId: run.id,
		status: run.status,
		error: (run.error ?? '').slice(0, 200),
		elapsedSeconds: run.elapsed_time,
		tokens: run.total_tokens,
		createdAt: timestampToMs(created_at),
		user: user?.session_id ?? account?.name ?? '',
	};
}
