import type { DebugEvent } from '#contract/debugging.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import type { Secrets } from '#runs/request/secrets.ts';
import type { RunStop } from '#runs/runTypes.ts';
import type { DebugLink, DebugStops } from './debugLink.ts';

/** A run that is ready to start in a debug session. The user has already entered everything it needs. */
export interface PreparedDebugRun {
	/** Name of the agent. Also identifies the agent when it uses itself as a tool. */
	readonly agent: string;
	readonly inputs: Readonly<Record<string, unknown>>;
	/** Values that must not be printed. */
	readonly secrets: Secrets;
	/** Path of the agent file on this machine. */
	readonly agentPath: string;
	/** The text of the agent file to run. */
	readonly text: string;
	/** Names of the gateway's other agents by file path. The debugged agent may use them as tools. */
	readonly tools: ReadonlyMap<string, string>;
	/** Published texts of the agents used as tools, by agent name. Tools run these texts, not their files. May include this agent. */
	readonly published: ReadonlyMap<string, string>;
	/** Starts the run. The link receives its events. */
	start(link: DebugLink, options: DebugStops & { readonly stop_on_entry: boolean }): void;
	/** Requests a stop. The run is active until the service reports its end. Does nothing before the run has started. */
	stop(): void;
	/** Updates where other views show that the run is paused, or `undefined` when it continues. */
	showPausedAt(stop: RunStop | undefined): void;
}

/** An earlier step of a run, counted from 1. */
export type PastStep = NonNullable<(DebugEvent & { event: 'debug_stopped' })['data']['past']>;

export interface DebugHost {
	/** Prepares the run of a launch configuration. Resolves to `undefined` if the user cancels or after showing an error. */
	prepareRun(configuration: object): Promise<PreparedDebugRun | undefined>;
	/** Called when the run stops, continues or ends. `past`: the earlier step that the session is at; undefined in the present. */
	onDidChangePast(past: PastStep | undefined): void;
	/** Called when the gateway has accepted the run. */
	onDidStart(): void;
	/**
	 * Debugs a fork of the run in another session, which ends this one once it runs. Resolves to false if the user cancels or after showing an
	 * error.
	 * @param step how to step the first branch of the fork; undefined to continue
	 */
	startFork(part: PartialRun, step: 'over' | 'into' | 'out' | undefined): Promise<boolean>;
	/** Returns the current text of a file, including unsaved changes, or `undefined` if it can't be read. */
	readText(path: string): string | undefined;
	/** Fires when the text of an open file has changed. */
	onDidChangeText(listener: (path: string) => void): { dispose(): void };
}
