import type { ServiceClient } from '../client/client.ts';
import type { WorkflowEvent } from '../protocol/events.ts';
import type { WorkflowRunRequest } from '../protocol/workflows.ts';
import type { JournalEntry, RunRecord } from './runTypes.ts';

/** What a run needs of a service. */
export type RunService = Pick<ServiceClient, 'runWorkflow' | 'streamWorkflow' | 'streamDraft' | 'followRun' | 'getRun' | 'stopRun'>;

/** Whom a live run tells what happens; all of it in the order in which it happened. */
export interface RunObserver {
	/** Something to keep and to show; nothing that came is ever left out. */
	entry(entry: JournalEntry): void;
	/** Facts of the run's record that changed. */
	change(patch: Partial<RunRecord>): void;
	/** The error for which the run did not come about, whole: what to do about it is in it. */
	failed?(error: unknown): void;
}

export interface LiveRunParts {
	/** A client of the run's connection; asked again when the service could not be reached, which may be back at another address. */
	readonly connect: () => Promise<RunService>;
	readonly observer: RunObserver;
	/** Sends the request and yields its events; `streamWorkflow` where absent (a draft run is started elsewhere). */
	readonly stream?: (service: RunService, request: WorkflowRunRequest, options: { signal: AbortSignal }) => AsyncIterable<WorkflowEvent>;
	/** Waits, or ends early when the signal fires; for tests. */
	readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}
