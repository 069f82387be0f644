/** An MCP server as configured: a program or an address. */
export type McpServerSettings = McpProgram | McpAddress;

interface Common {
	/** Time limit of a call in milliseconds. Starting the server may take twice as long. */
	readonly timeoutMs: number;
}

/** A program that communicates over standard input and output. */
export interface McpProgram extends Common {
	readonly command: string;
	readonly args: readonly string[];
	/** Variables in addition to the few that every program gets. */
	readonly env: Readonly<Record<string, string>>;
	readonly cwd?: string;
}

/** A server reached over HTTP. */
interface McpAddress extends Common {
	readonly url: string;
	/** Headers to send with each request. */
	readonly headers: Readonly<Record<string, string>>;
}

/** A connection to an MCP server. */
export interface McpConnection {
	/** Returns the tools from all pages of the list. */
	listTools(): Promise<readonly McpTool[]>;
	/** Calls a tool. Rejects with a message for users; on timeout the error's name is {@link McpTimeout}. */
	callTool(tool: string, parameters: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpResult>;
	/** Resolves to true if the server responds at all. */
	isAlive(): Promise<boolean>;
	close(): Promise<void>;
}

export interface McpTool {
	readonly name: string;
	readonly description: string;
	readonly parameters: Readonly<Record<string, unknown>>;
	/** Why the tool's definition is invalid. Such a tool must not be offered. */
	readonly fault?: string;
}

export interface McpResult {
	readonly text: string;
	readonly json?: unknown;
	/** True if the tool reported an error. */
	readonly failed: boolean;
}

/** Events of a connection. */
export interface McpEvents {
	/** Called when the connection was lost, not when it was closed here. */
	onClosed(reason: string): void;
	onToolsChanged(): void;
	/** Called when the program wrote a line to standard error. */
	onOutput(line: string): void;
}

/** Connects to a server. Rejects with a message for users. */
export type McpConnect = (settings: McpServerSettings, events: McpEvents, fetch: typeof globalThis.fetch) => Promise<McpConnection>;
