import { createHash } from 'node:crypto';
import type { VariableSetEvent } from '#contract/debugging.ts';
import { toHttpDate } from '#contract/timestamps.ts';
import type { WorkflowLog, WorkflowRunDetail } from '#contract/workflows.ts';
import type { RunDetailRow, RunRow } from '../store/runRows.ts';

/**
 * Converts a run to the form of contract A2: `inputs` as JSON text, times as HTTP-date-style strings.
 * @param setByHand the run's `variable_set` events as JSON texts @param keptReplies number of replies that forks can reuse
 */
export function toRunDetail(row: RunDetailRow, setByHand: readonly string[], keptReplies: number | undefined): WorkflowRunDetail {
	return {
		id: row.id,
		workflow_id: row.workflow_id,
		status: row.status,
		inputs: row.inputs,
		outputs: row.outputs === null ? null : (JSON.parse(row.outputs) as Record<string, unknown>),
		error: row.error,
		total_steps: row.total_steps,
		total_tokens: row.total_tokens,
		created_at: toHttpDate(row.created_at),
		finished_at: row.finished_at === null ? null : toHttpDate(row.finished_at),
		elapsed_time: row.elapsed_time,
		...(setByHand.length > 0 && { changed_by_hand: setByHand.map(text => (JSON.parse(text) as VariableSetEvent).data) }),
		...(keptReplies !== undefined && { kept_replies: keptReplies }),
	};
}

/** Converts a run to an entry of the run log, in Dify's format (wire facts 1.2). Times are in Unix seconds. */
export function toWorkflowLog(row: RunRow): WorkflowLog {
	return {
		id: row.id,
		workflow_run: {
			id: row.id,
			version: row.version ?? 'draft',
			status: row.status,
			error: row.error,
			elapsed_time: row.elapsed_time,
			total_tokens: row.total_tokens,
			total_steps: row.total_steps,
			created_at: toUnixSeconds(row.created_at),
			finished_at: row.finished_at === null ? null : toUnixSeconds(row.finished_at),
			exceptions_count: row.exceptions_count,
			triggered_from: 'app-run',
		},
		created_from: 'service-api',
		created_by_role: 'end_user',
		created_by_account: null,
		created_by_end_user: { id: getEndUserId(row.user), type: 'service_api', is_anonymous: false, session_id: row.user },
		created_at: toUnixSeconds(row.created_at),
	};
}

/** Converts Unix milliseconds to Unix seconds. */
export function toUnixSeconds(ms: number): number {
	return Math.floor(ms / 1000);
}

/** Returns an ID for an end user in the format of a UUID. The same `user` always gets the same ID. */
export function getEndUserId(user: string): string {
	const hex = createHash('sha256').update(user).digest('hex');
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
