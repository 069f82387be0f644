import type { Uri } from 'vscode';
import { getErrorMessage, getErrorReason, isCancellation, Problem } from '#base/problems.ts';
import type { ServiceClient } from '#client/client.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { AnsweredService } from '#runs/following/runFollowerParts.ts';
import type { DeploymentDraft, RunRecord } from '#runs/runTypes.ts';
import type { Connections } from '../../connections/connectionTypes.ts';

/** Name of the input for the question to the draft of a chatflow, as in the trace of such a run. */
export const questionInput = 'sys.query';

/** The fields of a run that determine its service. */
export type AskedRun = Pick<RunRecord, 'connectionId' | 'deploymentDraft'>;

export interface AskOptions {
	/** True if the user may be asked for a key or to sign in, because they started the action. Default: true. */
	readonly ask?: boolean;
	/** Returns the names of the run's known executions ({@link getExecutionName}). */
	readonly known?: () => Promise<ReadonlySet<string>>;
}

/** The drafts of apps on Dify deployments. All methods reject if the user isn't signed in. */
export interface DeploymentDrafts {
	/** Returns the management API of a deployment as a service for the runs of an app. */
	getService(connectionId: string, draft: DeploymentDraft, options: AskOptions): Promise<AnsweredService>;
	/** Finds the local agent file of an app. */
	findLinkedFile(connectionId: string, app: string): Promise<Uri | undefined>;
	/** Lets the user choose a run of the app that an agent file is linked to. Resolves to the run's key. */
	chooseRun(file: Uri): Promise<string | undefined>;
	/** Returns the app as an agent with the name `name` and the inputs of the app's draft. */
	describeApp(connectionId: string, draft: DeploymentDraft, name: string): Promise<AgentSummary>;
}

/** Returns drafts that are loaded on the first call. */
export function createLazyDrafts(load: () => Promise<DeploymentDrafts>): DeploymentDrafts {
	return {
		getService: async (...asked) => (await load()).getService(...asked),
		findLinkedFile: async (...asked) => (await load()).findLinkedFile(...asked),
		chooseRun: async (...asked) => (await load()).chooseRun(...asked),
		describeApp: async (...asked) => (await load()).describeApp(...asked),
	};
}

/** Finds the service of each run. This is the service of its connection, or the management API of the deployment for a draft in Dify. */
export class RunServices {
	readonly #connections: Connections;
	readonly #drafts: DeploymentDrafts;

	constructor(connections: Connections, drafts: DeploymentDrafts) {
		this.#connections = connections;
		this.#drafts = drafts;
	}

	/** Returns the service of a run. Rejects if there is no key, or the user isn't signed in. */
	async getService({ connectionId, deploymentDraft: draft }: AskedRun, options: AskOptions = {}): Promise<AnsweredService> {
		const { ask = true, known } = options;
		if (draft) {
			return this.#drafts.getService(connectionId, draft, { ...options, ask });
		}
		const client = await this.#connections.getClient(connectionId, { ask });
		return known && this.#connections.get(connectionId)?.kind === 'dify' ? skipKnownExecutions(client, known) : client;
	}

	/** Converts an error of a run's service to an error for the user, with a remedy. */
	toProblem({ connectionId, deploymentDraft }: AskedRun, error: unknown): unknown {
		if (!deploymentDraft) {
			return this.#connections.toProblem(connectionId, error);
		}
		if (isCancellation(error) || (error as { name?: unknown } | null)?.name === 'Problem') {
			return error;
		}
		return new Problem(getErrorReason(error) ?? 'failed', getErrorMessage(error), undefined, { cause: error });
	}
}

/**
 * Wraps the client of a Dify deployment so that it skips known executions. They can't be skipped by count, as with services that replay
 * their runs, because the deployment's snapshot of a run has its nodes in a different order, without iterations and text chunks.
 */
function skipKnownExecutions(client: ServiceClient, known: NonNullable<AskOptions['known']>): AnsweredService {
	return {
		streamWorkflow: (...asked) => client.streamWorkflow(...asked),
		runWorkflow: (...asked) => client.runWorkflow(...asked),
		getRun: (...asked) => client.getRun(...asked),
		stopRun: (...asked) => client.stopRun(...asked),
		submitForm: (...asked) => client.submitForm(...asked),
		uploadFile: (...asked) => client.uploadFile(...asked),
		followRun: (runId, query, options) =>
			takeUntilPause(
				dropKnownEvents(client.followRun(runId, { ...query, include_state_snapshot: true, continue_on_pause: true }, options), known),
			),
	};
}

/** Yields events up to the next pause. Skips the pause that the run may still report right after its form was answered. */
async function* takeUntilPause(events: AsyncIterable<WorkflowEvent>): AsyncGenerator<WorkflowEvent> {
	let isContinued = false;
	for await (const event of events) {
		const isPause = event.event === 'workflow_paused';
		if (isContinued || !isPause) {
			yield event;
		}
		if (isContinued && isPause) {
			return;
		}
		isContinued ||= !isPause && event.event !== 'ping';
	}
}

/** Drops events for node executions we already have. Keeps the start event of a resumed run, which repeats the ID of its first start. */
export async function* dropKnownEvents(
	events: AsyncIterable<WorkflowEvent>,
	known: NonNullable<AskOptions['known']>,
): AsyncGenerator<WorkflowEvent> {
	const names = await known();
	for await (const event of events) {
		const name = getExecutionName(event);
		if (name === undefined || !names.has(name) || isResumption(event)) {
			yield event;
		}
	}
}

function isResumption(event: WorkflowEvent): boolean {
	const data = 'data' in event ? (event.data as { reason?: unknown } | null | undefined) : undefined;
	return event.event === 'workflow_started' && data?.reason === 'resumption';
}

/** Returns a name that identifies an event of a node execution or a form. Returns `undefined` for other events. */
export function getExecutionName(event: { readonly event: string; readonly data?: unknown }): string | undefined {
	const { id, form_id: form } = (typeof event.data === 'object' && event.data !== null ? event.data : {}) as {
		id?: unknown;
		form_id?: unknown;
	};
	const named = event.event === 'human_input_required' ? form : id;
	return typeof named === 'string' && named !== '' ? `${event.event} ${named}` : undefined;
}
