/** A tool as callers see it. */
export interface ServedTool {
	/** 64 characters at most, each a letter, a digit, `_` or `-`: what all known clients and models take. */
	readonly name: string;
	readonly title: string;
	readonly description: string;
	/** JSON schema of an object. */
	readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One call of a tool. */
export interface ToolCall {
	readonly name: string;
	readonly arguments: Readonly<Record<string, unknown>>;
	/** What the caller's program calls itself; empty where it does not say. */
	readonly client: string;
	/** Aborted when the caller wants no result any more. */
	readonly signal: AbortSignal;
	/** Takes sentences on how far it is. */
	readonly progress: (message: string) => void;
}

/** What came of a call. */
export interface ToolReply {
	/** For models, a block each. */
	readonly text: readonly string[];
	/** The same as values; absent where there are none. */
	readonly structured?: Readonly<Record<string, unknown>>;
	/** The call did not do what it was to do: the text says why. */
	readonly failed: boolean;
	/** The run that it began; absent where none was. */
	readonly runId?: string;
}

/** Tools that are served to MCP clients. */
export interface ServedTools {
	/** All of them, always in the same order. */
	list(): Promise<readonly ServedTool[]>;
	/** Resolves, once nothing of the call goes on any more, to `undefined` where there is no tool of that name. */
	call(call: ToolCall): Promise<ToolReply | undefined>;
	/** Calls back after the list may have changed, until the returned function is called. */
	onChange(listener: () => void): () => void;
}
