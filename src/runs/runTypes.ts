import type { Listen } from '#base/disposables.ts';
import type { ResponseMode, RunStatus } from '#contract/workflows.ts';
import type { FormSummary } from './forms/runForm.ts';

/** What of a deployment is run in place of what is published there: the draft of an app. Plain data. */
export interface DeploymentDraft {
	/** The app's ID. */
	readonly app: string;
	/** The app's mode, as Dify names it. */
	readonly mode: string;
	/** Node that is run alone. */
	readonly node?: string;
}

/** Where a debugged run stands. */
export interface RunStop {
	/** The node before which it was stopped. */
	readonly id: string;
	readonly title: string;
	/** The nodes of all branches that stand; `agent`: name of the agent that the node is of, where that is one used as a tool. */
	readonly places: readonly { readonly node: string; readonly agent?: string }[];
}

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
	/** The run was of this draft of a deployment: its management is asked about it, not the connection's service. */
	readonly deploymentDraft?: DeploymentDraft;
	/** URI of the agent file whose draft it was, or that is linked to the deployment's. */
	readonly agentFile?: string;
	/** Key of the run that this one repeats. */
	readonly repeats?: string;
	/** Unix milliseconds. */
	readonly startedAt: number;
	/** The service's ID (`workflow_run_id`), once known. */
	readonly runId?: string;
	/** Names the run to stop it, once known. */
	readonly taskId?: string;
	/**
	 * `paused`: it waits for a person. `lost`: the stream ended before its last event and the run's detail could not be fetched either. `abandoned`: a blocking run
	 * whose answer is no longer waited for; the service goes on with it.
	 */
	readonly status: RunStatus | 'starting' | 'stopping' | 'lost' | 'abandoned';
	/** Of a lost run: its service no longer knows it, so that it is not looked up again. */
	readonly forgotten?: boolean;
	/** Node that runs now: its title and its number from 1. */
	readonly node?: { readonly title: string; readonly index: number };
	/** Where a debugger has it stand now. */
	readonly stands?: RunStop | undefined;
	/** Forms that a paused run waits for. */
	readonly forms?: readonly FormSummary[];
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
	/** What it says of the nodes of its agent file; absent where that is nothing. */
	readonly marks?: RunMarks;
}

/** What a run that is over says of the nodes of an agent file. */
interface RunMarks {
	/** URI of the agent file. */
	readonly file: string;
	/** Nodes for which it failed. */
	readonly failed: readonly FailedNode[];
	/** IDs of nodes that went well and for which an earlier run had failed. */
	readonly passed: readonly string[];
}

/** A node for which a run failed. */
export interface FailedNode {
	readonly id: string;
	/** What the service says of it, whole but for what is longer than anybody reads. */
	readonly error: string;
	/** Tells the text of the node that was run from another: first 16 hex digits of its SHA-256. */
	readonly text: string;
}

/** What other features may ask of runs. */
export interface Runs {
	/** One run came or changed. */
	readonly onDidChange: Listen<RunRecord>;
	/** Runs left the history. */
	readonly onDidRemove: Listen<readonly string[]>;
	/** Newest first. */
	list(filter?: { readonly connectionId?: string; readonly agent?: string; readonly file?: string }): readonly RunRecord[];
	get(key: string): RunRecord | undefined;
}

/** Which of these runs have a text, by their keys: in inputs, outputs, errors, those of nodes too, their file, user or ID. */
export type FindRuns = (records: readonly RunRecord[], text: string) => Promise<ReadonlySet<string>>;
