import type { WorkflowEvent } from '#contract/events.ts';
import type { ResponseMode, RunData } from '#contract/workflows.ts';
import type { Citation } from '#engine/knowledge/citations.ts';

/** Gets each event of a run, with its JSON text. */
export type RunListener = (event: WorkflowEvent, json: string) => void;

/** A run that goes on, whether a client follows it or not. */
export interface LiveRun {
	readonly id: string;
	readonly taskId: string;
	/** Row ID of its agent. */
	readonly agent: number;
	readonly user: string;
	readonly mode: ResponseMode;
	readonly seq: number;
	readonly controller: AbortController;
	/** Those who follow it; a listener must not throw. */
	readonly listeners: Set<RunListener>;
	/** Number of its last event that was written, or waits to be. */
	lastNumber(): number;
	/** Result of the run, with status `paused` where it waits for a person; rejects with a fault where it could not go on outside its graph. */
	readonly done: Promise<FinishedRun>;
}

/** A run that has ended or waits for a person, and that is written. */
export interface FinishedRun {
	readonly data: RunData;
	/** Conversation variables after the run. */
	readonly variables: Readonly<Record<string, unknown>>;
	/** Segments of knowledge that models were given. */
	readonly citations: readonly Citation[];
}
