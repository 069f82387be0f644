import { isCancellation, messageOf, Problem, reasonOf } from '../common/problems.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { AnsweredService } from './runFollowerParts.ts';
import type { DeploymentDraft, RunRecord } from './runTypes.ts';

/** What of a run says whom to ask about it. */
export type AskedRun = Pick<RunRecord, 'connectionId' | 'deploymentDraft'>;

/** How it is asked. */
export interface AskOptions {
	/** The user has just asked for something, and may be asked for a key, or to sign in. Default true. */
	readonly ask?: boolean;
	/** What came of the run already: names of events with the IDs of their executions ({@link executionName}). */
	readonly known?: () => Promise<ReadonlySet<string>>;
}

/** Opens the management of a deployment as the service of the runs of a draft there; rejects where nobody has signed in. */
export type OpenDraftService = (connectionId: string, draft: DeploymentDraft, options: AskOptions) => Promise<AnsweredService>;

/** Whom each run is asked of: its connection's service, or of a deployment's draft the management of that deployment. */
export class RunServices {
	readonly #connections: Connections;
	readonly #openDraft: OpenDraftService;

	constructor(connections: Connections, openDraft: OpenDraftService) {
		this.#connections = connections;
		this.#openDraft = openDraft;
	}

	/** The service of a run; rejects where there is no key, or nobody has signed in. */
	async of({ connectionId, deploymentDraft: draft }: AskedRun, options: AskOptions = {}): Promise<AnsweredService> {
		const { ask = true } = options;
		return draft ? this.#openDraft(connectionId, draft, { ...options, ask }) : this.#connections.client(connectionId, { ask });
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

/** Names what an event tells of an execution of a node, so that it is taken once; `undefined` for what is of no execution. */
export function executionName(event: { readonly event: string; readonly data?: unknown }): string | undefined {
	const { id } = (typeof event.data === 'object' && event.data !== null ? event.data : {}) as { id?: unknown };
	return typeof id === 'string' && id !== '' ? `${event.event} ${id}` : undefined;
}
