import type { WorkflowFinishedEvent } from '#contract/events.ts';
import type { RunRow } from '../store/runRows.ts';

/** The last event of a run as its row tells it: of one that ended without, because the process ended before it did, or while nothing of it went on. */
export function finishedEvent(row: RunRow): WorkflowFinishedEvent {
	const { id, task_id, workflow_id, status, error, elapsed_time, total_tokens, total_steps, created_at, finished_at } = row;
	return {
		event: 'workflow_finished',
		task_id,
		workflow_run_id: id,
		data: {
			id,
			workflow_id,
			status,
			outputs: null,
			error,
			elapsed_time,
			total_tokens,
			total_steps,
			created_at: Math.floor(created_at / 1000),
			finished_at: finished_at === null ? null : Math.floor(finished_at / 1000),
		},
	};
}
