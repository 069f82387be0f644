import type { Listen } from '#base/disposables.ts';
import type { RunParent } from '#contract/partialRun.ts';
import type { ResponseMode, RunStatus } from '#contract/workflows.ts';
import type { RunCosts } from './events/runCosts.ts';
import type { FormSummary } from './forms/runForm.ts';

/** The draft of an app to run instead of its published version. Plain data. */
export interface DeploymentDraft {
	/** The app's ID. */
	readonly app: string;
	/** The app's mode, as Dify names it. */
	readonly mode: string;
	/** Node to run alone. */
	readonly node?: string;
}

/** Where a debugged run is paused. */
export interface RunStop {
	/** The node before which it is paused. */
	readonly id: string;
	readonly title: string;
	/** The paused nodes of all branches; `agent`: the agent used as a tool that the node belongs to, if any. */
	readonly places: readonly { readonly node: string; readonly agent?: string }[];
	/** Nodes that ran later than the earlier step that is shown, if one is. */
	readonly later?: RunStop['places'];
}

/** The run that a fork starts from, and the title of the node from which everything runs again. */
export interface ForkParent extends RunParent {
	readonly title: string;
}

/** A run that was started from this editor, live or from history. Plain data, stored as JSON. */
export interface RunRecord {
	/** Local key, known before the service responds; unique on this machine. */
	readonly key: string;
	readonly connectionId: string;
	readonly agent: string;
	readonly user: string;
	readonly mode: ResponseMode;
	/** URI of the run file, if the run came from one. */
	readonly file?: string;
	/** First 16 hex digits of the SHA-256 of the inputs as sent: identifies runs with the same inputs. */
	readonly inputsHash?: string;
	/** True if the run was of an agent's draft, not of its published version. */
	readonly draft?: boolean;
	/** The draft in Dify that was run. Such runs use the management API instead of the connection's service. */
	readonly deploymentDraft?: DeploymentDraft;
	/** URI of the agent file whose draft was run, or that is linked to the Dify app. */
	readonly agentFile?: string;
	/** ID of the open recording that the run uses, which is written when the run ends. */
	readonly recording?: string;
	/** Key of the run that this one reruns. */
	readonly repeats?: string;
	/** The run that this one is a fork of, and what it changed. Long values are cut. */
	readonly parent?: ForkParent;
	/** What its nodes paid and saved so far; absent if prices are unknown. */
	readonly costs?: RunCosts | undefined;
	/** Start time in Unix milliseconds. */
	readonly startedAt: number;
	/** The service's ID (`workflow_run_id`), once known. */
	readonly runId?: string;
	/** The service's ID for stopping the run, once known. */
	readonly taskId?: string;
	/**
	 * `paused`: waiting for input. `lost`: the stream ended early, and the run's detail couldn't be fetched. `abandoned`: a blocking run
	 * that we no longer wait for; it continues on the service.
	 */
	readonly status: RunStatus | 'starting' | 'stopping' | 'lost' | 'abandoned';
	/** True if the service no longer knows this lost run, so that it isn't looked up again. */
	readonly forgotten?: boolean;
	/** Current node: its title and number from 1. */
	readonly node?: { readonly title: string; readonly index: number };
	/** Position at which the run is paused in a debugger. */
	readonly stands?: RunStop | undefined;
	/** Forms that a paused run is waiting for. */
	readonly forms?: readonly FormSummary[];
	/** Duration in seconds, once finished. */
	readonly elapsedSeconds?: number;
	readonly totalTokens?: number;
	readonly totalSteps?: number;
	/** Error message. */
	readonly error?: string;
	/** Outputs of a finished run; absent in the history if they are too large. The run's events have them. */
	readonly outputs?: Readonly<Record<string, unknown>> | null;
	/** Number of events so far, except pings and text chunks. */
	readonly events?: number;
	/** Results for the nodes of its agent file, if any. */
	readonly marks?: RunMarks;
}

/** Results of a finished run for the nodes of an agent file. */
interface RunMarks {
	/** URI of the agent file. */
	readonly file: string;
	/** Nodes that made it fail. */
	readonly failed: readonly FailedNode[];
	/** IDs of nodes that succeeded after failing in an earlier run. */
	readonly passed: readonly string[];
}

/** A node that made a run fail. */
export interface FailedNode {
	readonly id: string;
	/** The service's error message; very long ones are cut. */
	readonly error: string;
	/** Identifies the text of the node that was run: first 16 hex digits of its SHA-256. */
	readonly text: string;
}

/** Access to the runs, for other features. */
export interface Runs {
	/** Fires when a run was added or changed. */
	readonly onDidChange: Listen<RunRecord>;
	/** Fires when runs were removed from the history. */
	readonly onDidRemove: Listen<readonly string[]>;
	/** Returns the runs that match the filter, newest first. */
	list(filter?: { readonly connectionId?: string; readonly agent?: string; readonly file?: string }): readonly RunRecord[];
	get(key: string): RunRecord | undefined;
}

/** Returns the keys of the runs that contain a text in inputs, outputs, errors (including those of nodes), file, user or ID. */
export type FindRuns = (records: readonly RunRecord[], text: string) => Promise<ReadonlySet<string>>;
