import type { WorkflowEvent } from '#contract/events.ts';
import type { ResponseMode, RunData } from '#contract/workflows.ts';
import type { Citation } from '#engine/knowledge/citations.ts';

/** Receives each event of a run, with its JSON text. */
export type RunListener = (event: WorkflowEvent, json: string) => void;

/** A run in progress, with or without connected clients. */
export interface LiveRun {
	readonly id: string;
	readonly taskId: string;
	/** Row ID of its agent. */
	readonly agent: number;
	readonly user: string;
	readonly mode: ResponseMode;
	readonly seq: number;
	readonly controller: AbortController;
	/** Followers of the run. A listener must not throw. */
	readonly listeners: Set<RunListener>;
	/** Returns the number of its last event, recorded or pending. */
	getLastNumber(): number;
	/** Resolves with the result, which has the status `paused` if the run is paused. Rejects if the run failed outside its graph. */
	readonly done: Promise<FinishedRun>;
}

/** A run that has ended or paused, and has been saved. */
export interface FinishedRun {
	readonly data: RunData;
	/** Conversation variables after the run. */
	readonly variables: Readonly<Record<string, unknown>>;
	/** Knowledge segments passed to models. */
	readonly citations: readonly Citation[];
}
