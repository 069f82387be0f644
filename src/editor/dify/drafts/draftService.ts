import type { RunInput } from '#client/call.ts';
import type { CallOptions } from '#client/caller.ts';
import type { DifyManagement, ManagedRunDetail } from '#client/dify/management.ts';
import type { ReadRunDetail } from '#client/readers.ts';
import type { ChatEvent } from '#contract/chat.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { FormSubmission } from '#contract/humanInput.ts';
import type { ResultResponse } from '#contract/workflows.ts';
import type { AnsweredService } from '#runs/following/runFollowerParts.ts';
import type { DeploymentDraft } from '#runs/runTypes.ts';
import { type AskOptions, dropKnownEvents, questionInput } from '../../runs/following/runServices.ts';
import { nodeRunEvents } from './nodeRunEvents.ts';
import { traceEvents } from './traceEvents.ts';

/** What the service of a draft works with. */
interface DraftServiceParts {
	readonly management: DifyManagement;
	readonly draft: DeploymentDraft;
	readonly known?: AskOptions['known'];
	/** Uploads a file for a form: the app's service API takes it, for which the connection has a key. */
	readonly uploadFile: AnsweredService['uploadFile'];
}

/** What managing a deployment knows of an app's runs, as a service of runs: runs of its draft, and traces of all. */
export class DraftService implements AnsweredService {
	readonly #parts: DraftServiceParts;
	readonly uploadFile: AnsweredService['uploadFile'];

	constructor(parts: DraftServiceParts) {
		this.#parts = parts;
		this.uploadFile = parts.uploadFile;
	}

	/** Runs the draft, or the one node of it that is meant. The question to a chatflow is the input {@link questionInput}. */
	streamWorkflow(request: RunInput, options?: CallOptions): AsyncIterableIterator<WorkflowEvent> {
		const { management, draft } = this.#parts;
		const { app, mode, node } = draft;
		const { [questionInput]: question, ...inputs } = request.inputs;
		const query = typeof question === 'string' ? question : '';
		if (node !== undefined) {
			return nodeRunEvents(inputs, () => management.runNode(app, node, { mode, inputs, ...(query && { query }) }, options));
		}
		return mode === 'advanced-chat'
			? chatAsRun(management.streamDraftChat(app, { query, inputs }, options))
			: management.streamDraft(app, { inputs, ...(request.files && { files: request.files }) }, options);
	}

	/** Rejects with `not-found` where this release keeps no runs that can be asked for. */
	async getRun(runId: string, _query?: unknown, options?: CallOptions): Promise<ReadRunDetail> {
		return detailOf(await this.#parts.management.run(this.#parts.draft.app, runId, options));
	}

	/** Events of a run: as they come where it goes on and the deployment tells of them, else what its trace says of its nodes; none that came before. */
	followRun(runId: string, _query?: unknown, options?: CallOptions): AsyncGenerator<WorkflowEvent> {
		const { known } = this.#parts;
		const told = this.#told(runId, options);
		return known ? dropKnownEvents(told, known) : told;
	}

	async *#told(runId: string, options: CallOptions | undefined): AsyncGenerator<WorkflowEvent> {
		const { management, draft } = this.#parts;
		const detail = await management.run(draft.app, runId, options);
		const isOver = !['running', 'scheduled', 'paused'].includes(detail.status);
		if (!isOver && management.offers.has('followRun')) {
			// what is told of a chatflow is its turn
			yield* chatAsRun(management.followRun(draft.app, runId, options) as AsyncIterable<ChatEvent>);
		} else if (detail.status !== 'running' && detail.status !== 'scheduled') {
			yield* traceEvents(detail, await management.runNodes(draft.app, runId, options));
		}
	}

	async stopRun(taskId: string, _body?: unknown, options?: CallOptions): Promise<ResultResponse> {
		await this.#parts.management.stopDraft(this.#parts.draft.app, taskId, options);
		return { result: 'success' };
	}

	submitForm(token: string, { inputs, action }: FormSubmission, options?: CallOptions): Promise<void> {
		return this.#parts.management.submitForm(this.#parts.draft.app, token, { inputs, action }, options);
	}
}

/** Events of a chatflow's turn as those of a run: pieces of its answer are pieces of the run's text. All else is told as it comes. */
async function* chatAsRun(events: AsyncIterable<ChatEvent>): AsyncGenerator<WorkflowEvent> {
	let runId = '';
	for await (const event of events) {
		const { workflow_run_id: id, task_id: task, answer, from_variable_selector: from } = event as Partial<Record<string, unknown>>;
		runId = typeof id === 'string' && id !== '' ? id : runId;
		if ((event.event === 'message' || event.event === 'message_replace') && typeof answer === 'string') {
			const ids = { task_id: typeof task === 'string' ? task : '', workflow_run_id: runId };
			yield event.event === 'message'
				? { event: 'text_chunk', ...ids, data: { text: answer, ...(Array.isArray(from) && { from_variable_selector: from as string[] }) } }
				: { event: 'text_replace', ...ids, data: { text: answer } };
		} else {
			yield event as WorkflowEvent;
		}
	}
}

/** The detail of a run as services of runs tell it; `graph` is the one that ran. */
function detailOf(run: ManagedRunDetail): ReadRunDetail & { readonly graph: unknown } {
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
