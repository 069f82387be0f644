/** A tool as listed for callers. */
export interface ServedTool {
	/** At most 64 letters, digits, `_` or `-`, because all known clients and models accept that. */
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
	/** Aborts if the caller doesn't need a result anymore. */
	readonly signal: AbortSignal;
	/** Receives progress messages. */
	readonly reportProgress: (message: string) => void;
}

/** Result of a call. */
export interface ToolReply {
	/** Texts for models, one block each. */
	readonly text: readonly string[];
	/** The same result as values; undefined if there are none. */
	readonly structured?: Readonly<Record<string, unknown>>;
	/** True if the call failed. The text says why. */
	readonly failed: boolean;
	/** ID of the run that the call started; undefined if it started none. */
	readonly runId?: string;
}

/** Tools that are served to MCP clients. */
export interface ServedTools {
	/** Returns all tools, always in the same order. */
	listTools(): Promise<readonly ServedTool[]>;
	/** Resolves once the call has ended completely. Resolves to `undefined` if there is no tool with that name. */
	callTool(call: ToolCall): Promise<ToolReply | undefined>;
	/** Calls `listener` after the list may have changed, until the returned function is called. */
	onChange(listener: () => void): () => void;
}
