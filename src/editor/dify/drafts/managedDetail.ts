import type { ManagedRunDetail } from '#client/dify/management.ts';
import type { ReadRunDetail } from '#client/readers.ts';

/** The detail of a run as services of runs tell it; `graph` is the one that ran. */
export function detailOf(run: ManagedRunDetail): ReadRunDetail & { readonly graph: unknown } {
	const { id, status, error, elapsedSeconds, totalTokens, totalSteps, createdAt, finishedAt, inputs, outputs, graph } = run;
	return {
		id,
		workflow_id: '',
		status,
		error: error ?? null,
		elapsed_time: elapsedSeconds ?? 0,
		total_tokens: totalTokens ?? 0,
		total_steps: totalSteps ?? 0,
		created_at: createdAt ?? 0,
		finished_at: finishedAt ?? null,
		inputs: inputs ?? {},
		outputs: outputs ?? null,
		graph,
	};
}
