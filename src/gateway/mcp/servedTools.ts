/** A tool as listed for callers. */
export interface ServedTool {
	/** At most 64 letters, digits, `_` or `-`, which all known clients and models accept. */
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
	/** Name of the caller's program; empty if unknown. */
	readonly client: string;
	/** Aborts if the caller doesn't need a result any more. */
	readonly signal: AbortSignal;
	/** Receives progress messages. */
	readonly reportProgress: (message: string) => void;
}

/** Result of a call. */
export interface ToolReply {
	/** For models, one block each. */
	readonly text: readonly string[];
	/** The same as values; undefined if there are none. */
	readonly structured?: Readonly<Record<string, unknown>>;
	/** True if the call failed; the text says why. */
	readonly failed: boolean;
	/** The run started by the call; undefined if there was none. */
	readonly runId?: string;
}

/** Tools that are served to MCP clients. */
export interface ServedTools {
	/** Returns all tools, always in the same order. */
	list(): Promise<readonly ServedTool[]>;
	/** Resolves once the call has completely ended; with `undefined` if there is no tool with that name. */
	call(call: ToolCall): Promise<ToolReply | undefined>;
	/** Calls back after the list may have changed, until the returned function is called. */
	onChange(listener: () => void): () => void;
}
