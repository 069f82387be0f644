import type { NodeResultData, WorkflowEvent } from '#contract/events.ts';

/** Runs a single node and yields the events of a run. Such a run has no ID at the deployment, so it can't be stopped. */
export async function* runNodeAsEvents(
	inputs: Readonly<Record<string, unknown>>,
	run: () => Promise<NodeResultData>,
): AsyncGenerator<WorkflowEvent> {
	const ids = { task_id: '', workflow_run_id: '' };
	const begun = { id: '', workflow_id: '', created_at: Date.now() / 1000 };
	yield { event: 'workflow_started', ...ids, data: { ...begun, inputs } };
	const result = await run();
	const { status, error, outputs, elapsed_time, execution_metadata: metadata } = result;
	yield { event: 'node_started', ...ids, data: result };
	yield { event: 'node_finished', ...ids, data: result };
	yield {
		event: 'workflow_finished',
		...ids,
		data: {
			...begun,
			status: status === 'exception' ? 'partial-succeeded' : status,
			outputs,
			error,
			elapsed_time,
			total_tokens: metadata?.total_tokens ?? 0,
			total_steps: 1,
			finished_at: result.finished_at ?? Date.now() / 1000,
		},
	};
}
