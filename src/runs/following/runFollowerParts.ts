import type { Translate } from '#base/text/localization.ts';
import type { ServiceClient } from '#client/client.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { JournalEntry } from '../events/journalEntry.ts';
import type { RunCosts } from '../events/runCosts.ts';
import type { RunForms } from '../forms/runForms.ts';
import type { RunRecord } from '../runTypes.ts';

/** Service methods needed to follow a run. `runWorkflow` is absent if runs can only be streamed. */
export type FollowedService = Pick<ServiceClient, 'streamWorkflow' | 'followRun' | 'getRun' | 'stopRun'> &
	Partial<Pick<ServiceClient, 'runWorkflow'>>;

/** Service methods needed for a run. */
export type RunClient = FollowedService & Pick<ServiceClient, 'runWorkflow' | 'streamDraft' | 'debugRun' | 'sendDebugCommand'>;

/** Service methods needed to answer a paused run's forms. */
export type AnsweredService = FollowedService & Pick<ServiceClient, 'submitForm' | 'uploadFile'>;

/** Receives the events and changes of a live run, in order. */
export interface RunObserver {
	/** Receives each journal entry, without exception. */
	onEntry(entry: JournalEntry): void;
	/** Receives changed fields of the run's record. */
	changeRecord(patch: Partial<RunRecord>): void;
	/** Receives the whole error if the run couldn't be started, because its message may say what to do. */
	onFailed?(error: unknown): void;
}

/** Saved facts of a run that is followed again. */
export interface KeptOfRun {
	/** Number of its events, as counted by a service that replays them. */
	readonly events: number;
	/** Forms that haven't been answered. */
	readonly forms: RunForms;
	readonly costs?: RunCosts | undefined;
}

export interface RunFollowerParts {
	/**
	 * Returns a client of the run's connection. Called again if the service couldn't be reached, because it may be back at another address.
	 * `ask`: true if the user just requested something and may be asked for a missing key.
	 */
	readonly connect: (options: { readonly ask: boolean }) => Promise<FollowedService>;
	readonly observer: RunObserver;
	/** Translates the run's own errors; default: English. Notes are always English, like the output channel. */
	readonly t?: Translate;
	/** Sends the request and yields its events; default: `streamWorkflow`. For draft runs, which are started elsewhere. */
	readonly stream?: (request: WorkflowRunRequest, options: { signal: AbortSignal }) => AsyncIterable<WorkflowEvent>;
	/** Waits, or returns early when the signal fires; for tests. */
	readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}
