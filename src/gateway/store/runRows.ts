import type { NewForm, PausedRunTexts } from './pausedRunStore.ts';

/** A run to be added. Times are Unix milliseconds, and JSON texts contain the contract's objects. */
export interface NewRun {
	readonly id: string;
	readonly taskId: string;
	/** Row ID of the agent. */
	readonly agent: number;
	/** True if the run log shows the run. Runs of drafts aren't listed. */
	readonly listed: boolean;
	readonly workflowId: string;
	readonly user: string;
	readonly inputs: string;
	readonly createdAt: number;
}

/** The result of a run. */
export interface RunEnd {
	readonly status: string;
	readonly outputs: string | null;
	readonly error: string | null;
	/** Seconds. */
	readonly elapsedTime: number;
	readonly totalTokens: number;
	readonly totalSteps: number;
	readonly exceptionsCount: number;
	readonly finishedAt: number;
}

/** The progress of a paused run, with everything needed to resume it. */
export interface RunPause extends Omit<RunEnd, 'status' | 'error' | 'finishedAt'>, PausedRunTexts {
	readonly taskId: string;
	readonly forms: readonly NewForm[];
}

/** A run's row. `version` is the version of its workflow, or null for a draft. */
export interface RunRow {
	readonly seq: number;
	/** Row ID of its agent. */
	readonly agent: number;
	readonly id: string;
	readonly status: string;
	readonly created_at: number;
	readonly finished_at: number | null;
	readonly elapsed_time: number;
	readonly total_tokens: number;
	readonly total_steps: number;
	readonly exceptions_count: number;
	readonly workflow_id: string;
	readonly task_id: string;
	readonly user: string;
	readonly error: string | null;
	readonly version: string | null;
}

/** A run, with its inputs and outputs as JSON texts. */
export interface RunDetailRow extends RunRow {
	readonly inputs: string;
	readonly outputs: string | null;
}

/** An event of a run as it was sent. `run` is the run's row ID, `event` is JSON. */
export interface RunEventRow {
	readonly run: number;
	readonly number: number;
	readonly event: string;
}

/** Some events of a run, and the number of the last one. */
export interface EventPage {
	readonly events: readonly string[];
	readonly last: number;
}

/** The values by which a run is counted. */
export interface RunPlace {
	readonly agent: number;
	readonly listed: number;
	readonly status: string;
}
