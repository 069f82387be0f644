import { beginningOf } from '#base/text/cutText.ts';
import type { CallOptions } from '#client/caller.ts';
import { timestampToMs } from '#contract/timestamps.ts';
import type { LogStatus, WorkflowLog } from '#contract/workflows.ts';
import type { LogRow } from '#runs/logs/logEntry.ts';
import { isWithin, type LogSpan } from '#runs/logs/logSpan.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { RowsPage } from '../../explorer/lists/pagedRows.ts';

/** What a log is narrowed down to. */
export interface LogFilter {
	readonly status?: LogStatus;
	readonly keyword?: string;
	readonly span?: LogSpan;
}

/** Whose log is read. */
export interface LogOwner {
	readonly connectionId: string;
	readonly agent: string;
}

/** A page of a log as far as it fits the filter. */
export interface LogPage extends RowsPage<LogRow> {
	/** Entries that the service gave. */
	readonly read: number;
	/** The service gave what the span leaves out: it cannot filter so. */
	readonly filteredHere: boolean;
}

/** The query of a filter (A4). */
export function logQuery({ connectionId: _connection, agent }: LogOwner, { span, ...filter }: LogFilter) {
	return {
		model: agent,
		...filter,
		...(span && { created_at__after: new Date(span.after).toISOString() }),
		...(span?.before !== undefined && { created_at__before: new Date(span.before).toISOString() }),
	};
}

/** Reads a page of an agent's log at its service, newest first; `page` counts from 1. Rejects with the problem of its connection, and never asks for a key. */
export async function readLogPage(
	connections: Connections,
	owner: LogOwner,
	filter: LogFilter,
	{ page, limit }: { readonly page: number; readonly limit: number },
	options?: CallOptions,
): Promise<LogPage> {
	try {
		const client = await connections.client(owner.connectionId, { ask: false });
		const answer = await client.listLogs({ ...logQuery(owner, filter), page, limit }, options);
		const rows = answer.data.map(toRow);
		const { span } = filter;
		return span
			? within(span, rows, answer)
			: { rows, hasMore: answer.has_more, ...totalOf(answer.total), read: rows.length, filteredHere: false };
	} catch (error) {
		throw connections.problem(owner.connectionId, error);
	}
}

/** A page as far as it lies in a span: a service that speaks the contract alone gives all, newest first, and its count is that of all. */
function within(span: LogSpan, all: readonly LogRow[], { has_more, total }: { has_more: boolean; total: number }): LogPage {
	// services give whole seconds: a run of the first or last one counts
	const whole = { ...span, after: span.after - 999 };
	const rows = all.filter(({ createdAt }) => createdAt === undefined || isWithin(whole, createdAt));
	const filteredHere = rows.length < all.length;
	const oldest = all.at(-1)?.createdAt ?? Number.POSITIVE_INFINITY;
	return { rows, hasMore: has_more && oldest >= whole.after, ...(!filteredHere && totalOf(total)), read: all.length, filteredHere };
}

/** How many there are, where the service tells a count. */
function totalOf(total: unknown): { readonly total?: number } {
	return typeof total === 'number' && total >= 0 ? { total } : {};
}

function toRow({ id, workflow_run: run, created_by_end_user: user, created_by_account: account, created_at }: WorkflowLog): LogRow {
	return {
		id: String(id),
		runId: String(run.id),
		status: String(run.status),
		error: beginningOf(run.error ?? '', 200),
		elapsedSeconds: run.elapsed_time ?? 0,
		tokens: run.total_tokens ?? 0,
		createdAt: timestampToMs(created_at),
		user: String(user?.session_id ?? account?.name ?? ''),
	};
}
