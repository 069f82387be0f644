import type { Event } from 'vscode';
import type { WorkflowEvent } from '../protocol/events.ts';
import type { ResponseMode, RunStatus } from '../protocol/workflows.ts';

/** A run that was started from this editor, live or from history. Plain data: it is kept as JSON. */
export interface RunRecord {
	/** Local key, known before the service has answered; unique on this machine. */
	readonly key: string;
	readonly connectionId: string;
	readonly agent: string;
	readonly user: string;
	readonly mode: ResponseMode;
	/** URI of the run file, where the run came from one. */
	readonly file?: string;
	/** First 16 hex digits of the SHA-256 of the inputs as sent: tells runs of the same inputs. */
	readonly inputsHash?: string;
	/** Whether the run was of an agent file as it stood in the editor, not of what is published. */
	readonly draft?: boolean;
	/** URI of that agent file. */
	readonly agentFile?: string;
	/** Unix milliseconds. */
	readonly startedAt: number;
	/** The service's ID (`workflow_run_id`), once known. */
	readonly runId?: string;
	/** Names the run to stop it, once known. */
	readonly taskId?: string;
	/**
	 * `lost`: the stream ended before its last event and the run's detail could not be fetched either. `abandoned`: a blocking run
	 * whose answer is no longer waited for; the service goes on with it.
	 */
	readonly status: RunStatus | 'starting' | 'stopping' | 'lost' | 'abandoned';
	/** Node that runs now: its title and its number from 1. */
	readonly node?: { readonly title: string; readonly index: number };
	/** Seconds, once finished. */
	readonly elapsedSeconds?: number;
	readonly totalTokens?: number;
	readonly totalSteps?: number;
	/** What went wrong, in a sentence. */
	readonly error?: string;
	/** Outputs of a finished run; absent from history where they are too large to keep there: the run's events have them. */
	readonly outputs?: Readonly<Record<string, unknown>> | null;
	/** Events that came so far, but for pings and pieces of text. */
	readonly events?: number;
}

/** What other features may ask of runs. */
export interface Runs {
	/** One run came or changed. */
	readonly onDidChange: Event<RunRecord>;
	/** Runs left the history. */
	readonly onDidRemove: Event<readonly string[]>;
	/** Newest first. */
	list(filter?: { readonly connectionId?: string; readonly agent?: string; readonly file?: string }): readonly RunRecord[];
	get(key: string): RunRecord | undefined;
}

/** One entry of a run's journal: an event of the service, the detail that was fetched, or a word of ours on what happened. */
export type JournalEntry =
	| { readonly at: number; readonly request: unknown }
	| { readonly at: number; readonly event: WorkflowEvent }
	| { readonly at: number; readonly detail: unknown }
	| { readonly at: number; readonly note: string };

/** Whether nothing more will come of a run. */
export function isFinished(record: Pick<RunRecord, 'status'>): boolean {
	return !['starting', 'running', 'stopping', 'lost'].includes(record.status);
}
