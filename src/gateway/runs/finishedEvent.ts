import type { WorkflowFinishedEvent } from '#contract/events.ts';
import type { RunRow } from '../store/runRows.ts';

/** Creates the last event of a run from its row if none was recorded, because the process ended before the run or the run was paused. */
export function createFinishedEvent(row: RunRow): WorkflowFinishedEvent {
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
