/** An MCP server as the configuration names it: a program, or an address. */
export type McpServerSettings = McpProgram | McpAddress;

interface Common {
	/** Milliseconds that a call may take, and twice as many that the server may take to begin. */
	readonly timeoutMs: number;
}

/** A program that speaks over its standard input and output. */
export interface McpProgram extends Common {
	readonly command: string;
	readonly args: readonly string[];
	/** Beside the few variables that every program gets. */
	readonly env: Readonly<Record<string, string>>;
	readonly cwd?: string;
}

/** A server over HTTP. */
interface McpAddress extends Common {
	readonly url: string;
	/** Sent with each request. */
	readonly headers: Readonly<Record<string, string>>;
}

/** A server that answers. */
export interface McpConnection {
	/** Its tools, all pages of them. */
	tools(): Promise<readonly McpTool[]>;
	/** Calls one. Rejects with a sentence: {@link McpTimeout} by its name where it took too long. */
	call(tool: string, parameters: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpResult>;
	/** Whether it answers at all. */
	answers(): Promise<boolean>;
	close(): Promise<void>;
}

export interface McpTool {
	readonly name: string;
	readonly description: string;
	readonly parameters: Readonly<Record<string, unknown>>;
	/** Why its definition is invalid, so that it must not be offered. */
	readonly fault?: string;
}

export interface McpResult {
	readonly text: string;
	readonly json?: unknown;
	/** The tool says that it has failed. */
	readonly failed: boolean;
}

/** What a connection tells whoever holds it. */
export interface McpEvents {
	/** It is over, although nobody closed it. */
	closed(reason: string): void;
	toolsChanged(): void;
	/** A line of a program's standard error output. */
	said(line: string): void;
}

/** Connects to a server. Rejects with a sentence. */
export type McpConnect = (settings: McpServerSettings, events: McpEvents, fetch: typeof globalThis.fetch) => Promise<McpConnection>;
