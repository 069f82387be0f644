import type { RunStop } from '#runs/runTypes.ts';
import type { DebugLink, DebugStops } from './debugLink.ts';

/** A run that is ready to be started under a debugger: all that the user was to be asked is answered. */
export interface PreparedDebugRun {
	/** Name of the agent: one that uses itself as a tool is told of by it. */
	readonly agent: string;
	/** Path of the agent file on this machine. */
	readonly agentPath: string;
	/** Its text as it will run. */
	readonly text: string;
	/** Names of the gateway's other agents by the paths of their files: the debugged one may use them as tools. */
	readonly tools: ReadonlyMap<string, string>;
	/** Texts of the published versions of those agents that it uses as tools, by their names, its own too: these run, whatever their files say by now. */
	readonly published: ReadonlyMap<string, string>;
	/** Starts it; its events go through the link. */
	start(link: DebugLink, options: DebugStops & { readonly stop_on_entry: boolean }): void;
	/** Has it stopped as any run is: until the service says that it has ended. Without effect before it has started. */
	stop(): void;
	/** Tells what shows runs where it stands; `undefined` where it goes on. */
	standsAt(stop: RunStop | undefined): void;
}

/** What a debug session needs of the editor. */
export interface DebugHost {
	/** The run that a launch configuration means; `undefined` where the user backed out, or was told already why there is none. */
	prepare(configuration: object): Promise<PreparedDebugRun | undefined>;
	/** The text of a file as the editor has it now, unsaved changes too; `undefined` where it is not open. */
	textOf(path: string): string | undefined;
	/** Calls back when the text of an open file has changed. */
	onDidChangeText(listener: (path: string) => void): { dispose(): void };
}
