import type { RunStop } from '#runs/runTypes.ts';
import type { DebugLink, DebugStops } from './debugLink.ts';

/** A run that is ready to be started in a debug session; the user has already answered all questions. */
export interface PreparedDebugRun {
	/** Name of the agent; also identifies it when it uses itself as a tool. */
	readonly agent: string;
	/** Path of the agent file on this machine. */
	readonly agentPath: string;
	/** The text that will run. */
	readonly text: string;
	/** Names of the gateway's other agents by file path; the debugged agent may use them as tools. */
	readonly tools: ReadonlyMap<string, string>;
	/** Published texts by agent name of the agents used as tools, possibly including this one. Tools run these texts, not their files. */
	readonly published: ReadonlyMap<string, string>;
	/** Starts the run; its events go through the link. */
	start(link: DebugLink, options: DebugStops & { readonly stop_on_entry: boolean }): void;
	/** Requests a stop; the run lasts until the service reports its end. No effect before it has started. */
	stop(): void;
	/** Updates where the run is paused for other views; `undefined` when it continues. */
	showPausedAt(stop: RunStop | undefined): void;
}

export interface DebugHost {
	/** Prepares the run of a launch configuration; `undefined` if the user canceled or after showing an error. */
	prepare(configuration: object): Promise<PreparedDebugRun | undefined>;
	/** Returns the current text of a file, including unsaved changes; `undefined` if it can't be read. */
	readText(path: string): string | undefined;
	/** Fires when the text of an open file has changed. */
	onDidChangeText(listener: (path: string) => void): { dispose(): void };
}
