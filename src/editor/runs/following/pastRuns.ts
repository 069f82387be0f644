import type { WorkflowRunDetail, WorkflowRunRequest } from '#contract/workflows.ts';
import { outputsOf } from '#runs/following/detailPoll.ts';
import { rerunRequest } from './serviceRerun.ts';

/** What went into a run, as a case of a suite takes it. */
export function pastFields(request: WorkflowRunRequest): { inputs: Readonly<Record<string, unknown>>; query?: string } {
	const query: unknown = request['query'];
	return { inputs: request.inputs, ...(typeof query === 'string' && { query }) };
}

/** A run as its service keeps it, as a case of a suite takes it. */
export function pastServiceRun(agent: string, detail: WorkflowRunDetail) {
	const request = rerunRequest(detail, agent, '');
	return { ...pastFields(request), agent, status: detail.status, outputs: outputsOf(detail) ?? {} };
}
