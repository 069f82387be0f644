import type { ChatInput, RunInput } from '#client/call.ts';
import type { CallOptions } from '#client/caller.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { FollowRunQuery } from '#contract/humanInput.ts';
import type { FormAnswersByNode } from '../suite.ts';
import { CaseFault } from './caseWork.ts';
import { isServiceError } from './pacedCall.ts';
import { RunTrace } from './runTrace.ts';
import type { SuiteClient } from './suiteService.ts';

/** Milliseconds to wait for the service to confirm a stop. */
const stopMs = 10_000;

/** Maximum number of pauses of a run that are answered. A loop could ask forever. */
const mostPauses = 50;

export interface EndedRun {
	readonly trace: RunTrace;
	readonly runId: string | undefined;
	/** Duration on this machine in seconds. */
	readonly seconds: number;
}

/** Thrown if a run was canceled. `stopped`: true if the service confirmed that the run ended. */
export class RunCancelled extends Error {
	override readonly name = 'RunCancelled';
	readonly stopped: boolean;

	constructor(stopped: boolean) {
		super('The run was canceled.');
		this.stopped = stopped;
	}
}

/**
 * Runs an agent and follows the run to its end. When the signal aborts, stops the run and rejects with {@link RunCancelled} once the
 * service confirms it, or after ten seconds. Rejects with the client's error.
 */
export async function runAgentCase(
	client: SuiteClient,
	request: RunInput,
	drafts: boolean,
	signal: AbortSignal,
	{ trace = new RunTrace(), forms = {} }: FollowOptions = {},
): Promise<EndedRun> {
	const { query } = request;
	const options = { trace, forms };
	return typeof query === 'string'
		? runChatTurn(client, { ...request, query, ...(drafts && { draft: true }) }, options, signal)
		: runWorkflow(client, request, drafts, options, signal);
}

interface FollowOptions {
	/** Collects the events. */
	readonly trace?: RunTrace | undefined;
	readonly forms?: FormAnswersByNode | undefined;
}

function runWorkflow(
	client: SuiteClient,
	request: RunInput,
	drafts: boolean,
	options: Required<FollowOptions>,
	signal: AbortSignal,
): Promise<EndedRun> {
	const run = {
		...options,
		client,
		owner: { model: request.model, user: request.user },
		followEvents: (run: string, query: FollowRunQuery, call: CallOptions) => client.followRun(run, query, call),
		streamEvents: (call: CallOptions) => (drafts ? client.streamDraft(request, call) : client.streamWorkflow(request, call)),
		stop: client.stopRun.bind(client),
	};
	return followRun(run, signal);
}

function runChatTurn(client: SuiteClient, request: ChatInput, options: Required<FollowOptions>, signal: AbortSignal): Promise<EndedRun> {
	const run = {
		...options,
		client,
		owner: { model: request.model, user: request.user },
		followEvents: (run: string, query: FollowRunQuery, call: CallOptions) =>
			client.followChatMessage(run, query, call) as AsyncIterable<WorkflowEvent>,
		streamEvents: (call: CallOptions) => client.streamChatMessage(request, call) as AsyncIterable<WorkflowEvent>,
		stop: client.stopChatMessage.bind(client),
	};
	return followRun(run, signal);
}

interface Followed {
	readonly client: SuiteClient;
	readonly trace: RunTrace | undefined;
	readonly forms: FormAnswersByNode | undefined;
	readonly followEvents: (run: string, query: FollowRunQuery, call: CallOptions) => AsyncIterable<WorkflowEvent>;
	readonly owner: { readonly model: string; readonly user: string };
	readonly streamEvents: (call: CallOptions) => AsyncIterable<WorkflowEvent>;
	readonly stop: SuiteClient['stopRun'];
}

async function followRun(
	{ client, trace = new RunTrace(), forms = {}, owner, streamEvents, followEvents, stop: stopAt }: Followed,
	signal: AbortSignal,
): Promise<EndedRun> {
	signal.throwIfAborted();
	const cut = new AbortController();
	const started = performance.now();
	let first: { readonly task: string; readonly run: string | undefined } | undefined;
	let giveUp: NodeJS.Timeout | undefined;
	let asked = false;
	const stop = () => {
		giveUp ??= setTimeout(() => cut.abort(), stopMs);
		// the ID needed to stop a run is in its first event
		if (first && !asked) {
			asked = true;
			// the end of the run shows whether the stop worked
			stopAt(first.task, owner, { signal: cut.signal }).catch(() => undefined);
		}
	};
	signal.addEventListener('abort', stop, { once: true });
	try {
		let events: AsyncIterable<WorkflowEvent> | undefined = streamEvents({ signal: cut.signal });
		for (let pauses = 0; events; pauses++) {
			for await (const event of events) {
				trace.add(event);
				first ??= getRunTask(event);
				if (signal.aborted) {
					stop();
				}
			}
			const isContinued = pauses < mostPauses && !signal.aborted && (await answerForms(client, trace, forms, owner, cut.signal));
			events =
				isContinued && first?.run !== undefined
					? followEvents(first.run, { ...owner, include_state_snapshot: false }, { signal: cut.signal })
					: undefined;
		}
	} catch (error) {
		if (signal.aborted) {
			throw new RunCancelled(trace.end !== undefined);
		}
		if (!isTurnFailure(error)) {
			throw error;
		}
		trace.recordFailure(error.message);
	} finally {
		clearTimeout(giveUp);
		signal.removeEventListener('abort', stop);
	}
	if (signal.aborted && trace.end?.status === 'stopped') {
		throw new RunCancelled(true);
	}
	if (trace.paused && first) {
		// no person will submit the form, and the run would wait until it expires
		await stopAt(first.task, owner, { signal }).catch(() => undefined);
	}
	return { trace, runId: first?.run, seconds: (performance.now() - started) / 1000 };
}

/** Submits the forms that a paused run waits for. Resolves to false if it isn't paused, or there isn't an answer to each. */
async function answerForms(
	client: SuiteClient,
	trace: RunTrace,
	forms: FormAnswersByNode,
	owner: Followed['owner'],
	signal: AbortSignal,
): Promise<boolean> {
	const open = trace.openForms;
	if (!trace.paused || open.length === 0 || !open.every(({ nodeId, token }) => Object.hasOwn(forms, nodeId) && token !== undefined)) {
		return false;
	}
	for (const { id, nodeId, token = '', actions, inputs } of open) {
		const { action, inputs: given = {} } = forms[nodeId]!;
		const chosen = actions.find(each => each.id === action) ?? actions.find(({ title }) => title.toLowerCase() === action.toLowerCase());
		if (!chosen) {
			const names = actions.map(each => each.id).join(', ');
			throw new CaseFault(`The form of '${nodeId}' has no button '${action}'. Expected one of ${names}.`);
		}
		const values = inputs.map(({ name, value }) => [name, given[name] ?? value] as const).filter(([, value]) => value !== '');
		await client.submitForm(token, { ...owner, inputs: Object.fromEntries(values), action: chosen.id }, { signal });
		trace.removeAnsweredForm(id);
	}
	return true;
}

/** True if an error means that a started run failed: chat turns report failures this way. */
function isTurnFailure(error: unknown): error is Error {
	return isServiceError(error) && (error.reason === 'server' || error.reason === 'invalid-request') && (error.received ?? 0) > 0;
}

function getRunTask(event: WorkflowEvent): { readonly task: string; readonly run: string | undefined } | undefined {
	return 'task_id' in event && typeof event.task_id === 'string' && event.task_id !== ''
		? {
				task: event.task_id,
				run: 'workflow_run_id' in event && typeof event.workflow_run_id === 'string' ? event.workflow_run_id : undefined,
			}
		: undefined;
}
