import type { DebugLink, DebugStops } from './debugLink.ts';

/** A run that is ready to be started under a debugger: all that the user was to be asked is answered. */
export interface PreparedRun {
	/** Path of the agent file on this machine. */
	readonly agentPath: string;
	/** Its name, for people. */
	readonly title: string;
	/** Its text as it will run. */
	readonly text: string;
	/** Starts it; its events go through the link. */
	start(link: DebugLink, options: DebugStops & { readonly stop_on_entry: boolean }): void;
	/** Has it stopped as any run is: until the service says that it has ended. Without effect before it has started. */
	stop(): void;
	/** Tells what shows runs where it stands: the title of a node, or that it goes on. */
	standsAt(node: string | undefined): void;
	/** Keeps with the run that a value was changed by hand. */
	note(text: string): void;
}

/** What a debug session needs of the editor. */
export interface DebugHost {
	/** The run that a launch configuration means; `undefined` where the user backed out, or was told already why there is none. */
	prepare(configuration: object): Promise<PreparedRun | undefined>;
	/** The text of a file as the editor has it now; `undefined` where it is not open. */
	textOf(path: string): string | undefined;
	/** Calls back when the text of an open file has changed. */
	onDidChangeText(listener: (path: string) => void): { dispose(): void };
}
