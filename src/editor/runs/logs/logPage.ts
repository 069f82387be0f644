import { cutToLimit } from '#base/text/cutText.ts';
import type { CallOptions } from '#client/caller.ts';
import { toTimestampMs } from '#contract/timestamps.ts';
import type { LogStatus, WorkflowLog } from '#contract/workflows.ts';
import type { LogRow } from '#runs/logs/logEntry.ts';
import { isWithinSpan, type LogSpan } from '#runs/logs/logSpan.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { RowsPage } from '../../explorer/lists/pagedRows.ts';

export interface LogFilter {
	readonly status?: LogStatus;
	readonly keyword?: string;
	readonly span?: LogSpan;
}

/** The agent whose log is read. */
export interface LogOwner {
	readonly connectionId: string;
	readonly agent: string;
}

/** The entries of a page that match the filter. */
export interface LogPage extends RowsPage<LogRow> {
	/** Number of entries received from the service. */
	readonly read: number;
	/** True if the service returned entries outside the time span, because it can't filter by time. */
	readonly filteredHere: boolean;
}

/** Returns the query parameters for a filter (contract A4). */
export function toLogQuery({ connectionId: _connection, agent }: LogOwner, { span, ...filter }: LogFilter) {
	return {
		model: agent,
		...filter,
		...(span && { created_at__after: new Date(span.after).toISOString() }),
		...(span?.before !== undefined && { created_at__before: new Date(span.before).toISOString() }),
	};
}

/**
 * Reads a page of an agent's log, newest first. `page` starts at 1. Rejects with the problem of the connection, and never asks for a key.
 */
export async function readLogPage(
	connections: Connections,
	owner: LogOwner,
	filter: LogFilter,
	{ page, limit }: { readonly page: number; readonly limit: number },
	options?: CallOptions,
): Promise<LogPage> {
	try {
		const client = await connections.getClient(owner.connectionId, { ask: false });
		const answer = await client.listLogs({ ...toLogQuery(owner, filter), page, limit }, options);
		const rows = answer.data.map(toLogRow);
		const { span } = filter;
		return span
			? keepEntriesInSpan(span, rows, answer)
			: { rows, hasMore: answer.has_more, ...toTotalField(answer.total), read: rows.length, filteredHere: false };
	} catch (error) {
		throw connections.toProblem(owner.connectionId, error);
	}
}

/** Keeps only entries within a time span, because services without a time filter return and count all entries, newest first. */
function keepEntriesInSpan(span: LogSpan, all: readonly LogRow[], { has_more, total }: { has_more: boolean; total: number }): LogPage {
	// services report whole seconds, so include runs of the first second
	const whole = { ...span, after: span.after - 999 };
	const rows = all.filter(({ createdAt }) => createdAt === undefined || isWithinSpan(whole, createdAt));
	const filteredHere = rows.length < all.length;
	const oldest = all.at(-1)?.createdAt ?? Number.POSITIVE_INFINITY;
	return { rows, hasMore: has_more && oldest >= whole.after, ...(!filteredHere && toTotalField(total)), read: all.length, filteredHere };
}

function toTotalField(total: unknown): { readonly total?: number } {
	return typeof total === 'number' && total >= 0 ? { total } : {};
}

function toLogRow({ id, workflow_run: run, created_by_end_user: user, created_by_account: account, created_at }: WorkflowLog): LogRow {
	return {
		id: String(id),
		runId: String(run.id),
		status: String(run.status),
		error: cutToLimit(run.error ?? '', 200),
		elapsedSeconds: run.elapsed_time ?? 0,
		tokens: run.total_tokens ?? 0,
		createdAt: toTimestampMs(created_at),
		user: String(user?.session_id ?? account?.name ?? ''),
	};
}
