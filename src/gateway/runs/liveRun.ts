import type { WorkflowEvent } from '../../protocol/events.ts';
import type { ResponseMode, RunData } from '../../protocol/workflows.ts';

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
	/** Result of the run; rejects with a fault where it could not go on outside its graph. */
	readonly done: Promise<FinishedRun>;
}

/** A run that has ended, and its end is written. */
export interface FinishedRun {
	readonly data: RunData;
	/** Conversation variables after the run. */
	readonly variables: Readonly<Record<string, unknown>>;
}
