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
import { runNodeAsEvents } from './nodeRunEvents.ts';
import { toTraceEvents } from './traceEvents.ts';

interface DraftServiceParts {
	readonly management: DifyManagement;
	readonly draft: DeploymentDraft;
	readonly known?: AskOptions['known'];
	/** Uploads a file for a form through the app's service API, with the key of the connection. */
	readonly uploadFile: AnsweredService['uploadFile'];
}

/** Adapts the management of an app's deployment to the interface of a service, to run drafts and read traces. */
export class DraftService implements AnsweredService {
	readonly #parts: DraftServiceParts;
	readonly uploadFile: AnsweredService['uploadFile'];

	constructor(parts: DraftServiceParts) {
		this.#parts = parts;
		this.uploadFile = parts.uploadFile;
	}

	/** Runs the draft or one of its nodes. The question to a chatflow is the input named {@link questionInput}. */
	streamWorkflow(request: RunInput, options?: CallOptions): AsyncIterableIterator<WorkflowEvent> {
		const { management, draft } = this.#parts;
		const { app, mode, node } = draft;
		const { [questionInput]: question, ...inputs } = request.inputs;
		const query = typeof question === 'string' ? question : '';
		if (node !== undefined) {
			return runNodeAsEvents(inputs, () => management.runNode(app, node, { mode, inputs, ...(query && { query }) }, options));
		}
		return mode === 'advanced-chat'
			? toRunEvents(management.streamDraftChat(app, { query, inputs }, options))
			: management.streamDraft(app, { inputs, ...(request.files && { files: request.files }) }, options);
	}

	/** Rejects with `not-found` if this Dify release can't return runs. */
	async getRun(runId: string, _query?: unknown, options?: CallOptions): Promise<ReadRunDetail> {
		return toRunDetail(await this.#parts.management.run(this.#parts.draft.app, runId, options));
	}

	/**
	 * Returns the events of a run that aren't known yet. They are live if the run is active and the deployment supports that, and otherwise
	 * come from the run's trace.
	 */
	followRun(runId: string, _query?: unknown, options?: CallOptions): AsyncGenerator<WorkflowEvent> {
		const { known } = this.#parts;
		const events = this.#readEvents(runId, options);
		return known ? dropKnownEvents(events, known) : events;
	}

	async *#readEvents(runId: string, options: CallOptions | undefined): AsyncGenerator<WorkflowEvent> {
		const { management, draft } = this.#parts;
		const detail = await management.run(draft.app, runId, options);
		const isOver = !['running', 'scheduled', 'paused'].includes(detail.status);
		if (!isOver && management.offers.has('followRun')) {
			// a chatflow emits the events of a chat
			yield* toRunEvents(management.followRun(draft.app, runId, options) as AsyncIterable<ChatEvent>);
		} else if (detail.status !== 'running' && detail.status !== 'scheduled') {
			yield* toTraceEvents(detail, await management.runNodes(draft.app, runId, options));
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

/** Converts the events of a chatflow into those of a run. Chunks of its answer become text chunks. Other events are passed through. */
async function* toRunEvents(events: AsyncIterable<ChatEvent>): AsyncGenerator<WorkflowEvent> {
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

/** Converts the details of a managed run into the form that a service returns. `graph` is the graph that ran. */
function toRunDetail(run: ManagedRunDetail): ReadRunDetail & { readonly graph: unknown } {
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
