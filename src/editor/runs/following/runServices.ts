import type { Uri } from 'vscode';
import { isCancellation, messageOf, Problem, reasonOf } from '#base/problems.ts';
import type { ServiceClient } from '#client/client.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { AnsweredService } from '#runs/following/runFollowerParts.ts';
import type { DeploymentDraft, RunRecord } from '#runs/runTypes.ts';
import type { Connections } from '../../connections/connectionTypes.ts';

/** Input that holds the question to a chatflow whose draft is run; named as the trace of such a run has it. */
export const questionInput = 'sys.query';

/** What of a run says whom to ask about it. */
export type AskedRun = Pick<RunRecord, 'connectionId' | 'deploymentDraft'>;

/** How it is asked. */
export interface AskOptions {
	/** The user has just asked for something, and may be asked for a key, or to sign in. Default true. */
	readonly ask?: boolean;
	/** What came of the run already: names of events with the IDs of their executions ({@link executionName}). */
	readonly known?: () => Promise<ReadonlySet<string>>;
}

/** Drafts of the apps of deployments, as the part of the editor that manages these hands them to others. All reject where nobody has signed in. */
export interface DeploymentDrafts {
	/** The management of a deployment as the service of an app's runs. */
	service(connectionId: string, draft: DeploymentDraft, options: AskOptions): Promise<AnsweredService>;
	/** The agent file of an app, where there is one here. */
	linkedFile(connectionId: string, app: string): Promise<Uri | undefined>;
	/** Has the user choose a run of the app that an agent file is linked to; resolves to its key. */
	chooseRun(file: Uri): Promise<string | undefined>;
	/** The app as an agent, with the inputs that its draft takes; `name`: what it is called here. */
	describe(connectionId: string, draft: DeploymentDraft, name: string): Promise<AgentSummary>;
}

/** The same before they are loaded: the first call loads them. */
export function lazyDrafts(load: () => Promise<DeploymentDrafts>): DeploymentDrafts {
	return {
		service: async (...asked) => (await load()).service(...asked),
		linkedFile: async (...asked) => (await load()).linkedFile(...asked),
		chooseRun: async (...asked) => (await load()).chooseRun(...asked),
		describe: async (...asked) => (await load()).describe(...asked),
	};
}

/** Whom each run is asked of: its connection's service, or of a deployment's draft the management of that deployment. */
export class RunServices {
	readonly #connections: Connections;
	readonly #drafts: DeploymentDrafts;

	constructor(connections: Connections, drafts: DeploymentDrafts) {
		this.#connections = connections;
		this.#drafts = drafts;
	}

	/** The service of a run; rejects where there is no key, or nobody has signed in. */
	async of({ connectionId, deploymentDraft: draft }: AskedRun, options: AskOptions = {}): Promise<AnsweredService> {
		const { ask = true, known } = options;
		if (draft) {
			return this.#drafts.service(connectionId, draft, { ...options, ask });
		}
		const client = await this.#connections.client(connectionId, { ask });
		return known && this.#connections.get(connectionId)?.kind === 'dify' ? tellingOnce(client, known) : client;
	}

	/** An error of a run's service as the user is told it, with what mends it. A sign-in mends what a key would elsewhere. */
	problem({ connectionId, deploymentDraft }: AskedRun, error: unknown): unknown {
		if (!deploymentDraft) {
			return this.#connections.problem(connectionId, error);
		}
		if (isCancellation(error) || (error as { name?: unknown } | null)?.name === 'Problem') {
			return error;
		}
		return new Problem(reasonOf(error) ?? 'failed', messageOf(error), undefined, { cause: error });
	}
}

/**
 * A Dify deployment that is asked how a run stands tells of its nodes in an order of its own, without rounds and pieces of text: what is known of them is
 * left out by name, not by count as of services that replay their runs.
 */
function tellingOnce(client: ServiceClient, known: NonNullable<AskOptions['known']>): AnsweredService {
	return {
		streamWorkflow: (...asked) => client.streamWorkflow(...asked),
		runWorkflow: (...asked) => client.runWorkflow(...asked),
		getRun: (...asked) => client.getRun(...asked),
		stopRun: (...asked) => client.stopRun(...asked),
		submitForm: (...asked) => client.submitForm(...asked),
		uploadFile: (...asked) => client.uploadFile(...asked),
		followRun: (runId, query, options) =>
			untilPause(untold(client.followRun(runId, { ...query, include_state_snapshot: true, continue_on_pause: true }, options), known)),
	};
}

/** Events up to the next pause. The one in which the run may still be, though its form was answered a moment ago, is passed over: nothing new came before it. */
async function* untilPause(events: AsyncIterable<WorkflowEvent>): AsyncGenerator<WorkflowEvent> {
	let goesOn = false;
	for await (const event of events) {
		const pauses = event.event === 'workflow_paused';
		if (goesOn || !pauses) {
			yield event;
		}
		if (goesOn && pauses) {
			return;
		}
		goesOn ||= !pauses && event.event !== 'ping';
	}
}

/** Those of the events that do not tell once more what is known of executions; a run that goes on after a pause says so under the name of its beginning. */
export async function* untold(
	events: AsyncIterable<WorkflowEvent>,
	known: NonNullable<AskOptions['known']>,
): AsyncGenerator<WorkflowEvent> {
	const names = await known();
	for await (const event of events) {
		const name = executionName(event);
		if (name === undefined || !names.has(name) || isResumption(event)) {
			yield event;
		}
	}
}

function isResumption(event: WorkflowEvent): boolean {
	const data = 'data' in event ? (event.data as { reason?: unknown } | null | undefined) : undefined;
	return event.event === 'workflow_started' && data?.reason === 'resumption';
}

/** Names what an event tells of an execution of a node, or of a form, so that it is taken once; `undefined` for what is of neither. */
export function executionName(event: { readonly event: string; readonly data?: unknown }): string | undefined {
	const { id, form_id: form } = (typeof event.data === 'object' && event.data !== null ? event.data : {}) as {
		id?: unknown;
		form_id?: unknown;
	};
	const named = event.event === 'human_input_required' ? form : id;
	return typeof named === 'string' && named !== '' ? `${event.event} ${named}` : undefined;
}
