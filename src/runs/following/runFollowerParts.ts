import type { ServiceClient } from '#client/client.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { JournalEntry } from '../events/journalEntry.ts';
import type { RunForms } from '../forms/runForms.ts';
import type { RunRecord } from '../runTypes.ts';

/** What following a run needs. `runWorkflow`: absent where nothing runs but as a stream. */
export type FollowedService = Pick<ServiceClient, 'streamWorkflow' | 'followRun' | 'getRun' | 'stopRun'> &
	Partial<Pick<ServiceClient, 'runWorkflow'>>;

/** What a run needs of a service. */
export type RunClient = FollowedService & Pick<ServiceClient, 'runWorkflow' | 'streamDraft' | 'debugRun' | 'commandDebugger'>;

/** What a run that waits for people needs beside that. */
export type AnsweredService = FollowedService & Pick<ServiceClient, 'submitForm' | 'uploadFile'>;

/** Whom a live run tells what happens; all of it in the order in which it happened. */
export interface RunObserver {
	/** Something to keep and to show; nothing that came is ever left out. */
	entry(entry: JournalEntry): void;
	/** Facts of the run's record that changed. */
	change(patch: Partial<RunRecord>): void;
	/** The error for which the run did not come about, whole: what to do about it is in it. */
	failed?(error: unknown): void;
}

/** What is kept of a run that is followed again. */
export interface KeptOfRun {
	/** How many of its events there are, as a service that replays the run counts them. */
	readonly events: number;
	/** Forms that nobody has answered yet. */
	readonly forms: RunForms;
}

export interface RunFollowerParts {
	/**
	 * A client of the run's connection; asked again when the service could not be reached, which may be back at another address. `ask`: the user has
	 * just asked for something, and may be asked for a key that is missing.
	 */
	readonly connect: (options: { readonly ask: boolean }) => Promise<FollowedService>;
	readonly observer: RunObserver;
	/** Sends the request and yields its events; `streamWorkflow` where absent (a draft run is started elsewhere). */
	readonly stream?: (request: WorkflowRunRequest, options: { signal: AbortSignal }) => AsyncIterable<WorkflowEvent>;
	/** Waits, or ends early when the signal fires; for tests. */
	readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}
