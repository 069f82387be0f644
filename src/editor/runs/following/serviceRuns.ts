import type { LogOutputChannel } from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import { formatMessage, localizable } from '#base/text/localizableMessage.ts';
import { isEvent } from '#contract/events.ts';
import type { FollowRunQuery } from '#contract/humanInput.ts';
import { toTimestampMs } from '#contract/timestamps.ts';
import type { WorkflowRunDetail } from '#contract/workflows.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { ReplayedTimes } from '#runs/events/replayedTimes.ts';
import { isRunActive } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { formatServiceRunKey, type ServiceRunReference } from '#runs/serviceRun.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { AskedRun, RunServices } from './runServices.ts';

/** Limit of the events of one run in characters of JSON, because its readers keep them. An event counts at least {@link leastOfEvent}. */
const mostCharacters = 64 * 1024 * 1024;
const leastOfEvent = 200;

/** Reads runs from their services, including runs that weren't started here. Stores nothing. */
export class ServiceRuns {
	readonly #connections: Connections;
	readonly #services: RunServices;
	readonly #log: LogOutputChannel;
	readonly #quietMs: number;

	/** `quietMs` is the number of milliseconds without an event after which the stream of an inactive run is closed. */
	constructor(connections: Connections, services: RunServices, log: LogOutputChannel, quietMs = 10_000) {
		this.#connections = connections;
		this.#services = services;
		this.#log = log;
		this.#quietMs = quietMs;
	}

	/** Fetches the details of a run without asking the user for a key. Rejects with the client's errors. */
	async fetchDetail(of: ServiceRunReference, signal?: AbortSignal): Promise<WorkflowRunDetail> {
		const { agentName: model, runId } = of;
		return (await this.#services.getService(toAskedRun(of), { ask: false })).getRun(runId, { model }, { signal });
	}

	/**
	 * Yields the events of a run, live if the run is active. Yields none if the service can't replay the run. For an inactive run, stops
	 * after a long pause, because some services keep the stream open. Stops with a note at a limit.
	 */
	async *readEvents(of: ServiceRunReference, { status, startedAt }: RunRecord, ended?: AbortSignal): AsyncGenerator<JournalEntry> {
		const { connectionId, agentName: model, runId } = of;
		const times = new ReplayedTimes(startedAt);
		const quiet = new AbortController();
		const signal = AbortSignal.any([quiet.signal, ...(ended ? [ended] : [])]);
		let timer: NodeJS.Timeout | undefined;
		const resetTimer = () => {
			clearTimeout(timer);
			timer = isRunActive({ status }) ? undefined : setTimeout(() => quiet.abort(), this.#quietMs);
		};
		let left = mostCharacters;
		resetTimer();
		try {
			const service = await this.#services.getService(toAskedRun(of), { ask: false });
			for await (const event of service.followRun(runId, { model, ...this.#getDifyQuery(connectionId) }, { signal })) {
				if (event.event !== 'ping') {
					resetTimer();
					const at = times.calculateEventTime(event);
					left -= leastOfEvent + JSON.stringify(event).length;
					if (left < 0) {
						const message = localizable`The journal ends here because it reached its limit of ${mostCharacters / 1048576} MB.`;
						yield { at, note: formatMessage(message), message };
						return;
					}
					yield { at, event };
				}
				if (isEvent(event, 'workflow_finished')) {
					return;
				}
			}
		} catch (error) {
			this.#log.debug(`Couldn't read the events of run ${runId}: ${getErrorMessage(error)}`);
		} finally {
			clearTimeout(timer);
		}
	}

	/** Returns additional query parameters for Dify. */
	#getDifyQuery(connectionId: string): Partial<FollowRunQuery> {
		const connection = this.#connections.get(connectionId);
		return connection?.kind === 'dify' ? { user: connection.user, include_state_snapshot: true } : {};
	}
}

/** Returns the fields that determine the service of a run. */
export function toAskedRun({ connectionId, app }: ServiceRunReference): AskedRun {
	return { connectionId, ...(app ? { deploymentDraft: { app: app.id, mode: app.mode } } : {}) };
}

/** Converts the details of a service's run to a record. Derives its key from the reference. */
export function toRunRecord(of: ServiceRunReference, detail: WorkflowRunDetail): RunRecord {
	const { status, error, elapsed_time, total_tokens, total_steps, created_at } = detail;
	return {
		key: formatServiceRunKey(of),
		connectionId: of.connectionId,
		...(of.app?.published === false ? toAskedRun(of) : {}),
		agent: of.agentName,
		user: '',
		mode: 'streaming',
		runId: of.runId,
		status,
		startedAt: toTimestampMs(created_at) ?? Date.now(),
		elapsedSeconds: elapsed_time,
		totalTokens: total_tokens,
		totalSteps: Number(total_steps),
		...(error ? { error } : {}),
	};
}
