import type { ToolResult } from '../engineTool.ts';
import type { McpConnect, McpConnection, McpServerSettings, McpTool } from './mcpSettings.ts';

/** Maximum milliseconds between retries of a server that keeps failing. */
const longestPauseMs = 60_000;

/** Dependencies that the gateway provides to a server. */
export interface McpParts {
	/** Loads the connect function on first use. */
	readonly loadConnect: () => Promise<McpConnect>;
	readonly fetch: typeof globalThis.fetch;
	readonly log: {
		warn(message: string, fields: Readonly<Record<string, unknown>>): void;
		info(message: string, fields: Readonly<Record<string, unknown>>): void;
	};
}

/** One MCP server. Connects on first use, reconnects if the connection was lost, and after failures retries with increasing delays. */
export class McpServer {
	readonly #name: string;
	readonly #settings: () => McpServerSettings;
	readonly #parts: McpParts;
	#connection: Promise<McpConnection> | undefined;
	#tools: Promise<readonly McpTool[]> | undefined;
	/** Failures since the last success, the last error, and the earliest time to retry (`performance.now()`). */
	#failures = 0;
	#lastFailure = '';
	#notBefore = 0;
	#closed = false;

	/** @param settings returns the settings; called at each start, and throws if a key is missing */
	constructor(name: string, settings: () => McpServerSettings, parts: McpParts) {
		this.#name = name;
		this.#settings = settings;
		this.#parts = parts;
	}

	/** Returns the server's tools, read once per connection. Rejects with a message that names the server. */
	async listTools(): Promise<readonly McpTool[]> {
		const connection = await this.#connect();
		this.#tools ??= connection.listTools();
		const reading = this.#tools;
		try {
			return await reading;
		} catch (error) {
			if (this.#tools === reading) {
				this.#tools = undefined;
			}
			throw this.#describeError(error);
		}
	}

	/** Calls a tool. Rejects with a message that names the server, or with the tool's own error message. */
	async callTool(tool: string, parameters: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult> {
		const connection = await this.#connect();
		const result = await connection.callTool(tool, parameters, signal).catch(async (error: unknown) => {
			signal.throwIfAborted();
			if ((error as Error).name === 'McpTimeout') {
				await this.#restartIfUnresponsive(connection);
			}
			throw this.#describeError(error);
		});
		this.#failures = 0;
		if (result.failed) {
			throw new Error(result.text || `the tool '${tool}' of the MCP server '${this.#name}' failed without an error message`);
		}
		return { text: result.text, ...(result.json !== undefined && { json: result.json }) };
	}

	/** Stops the server permanently. */
	async close(): Promise<void> {
		this.#closed = true;
		await this.#dropConnection();
	}

	#connect(): Promise<McpConnection> {
		if (this.#closed) {
			return Promise.reject(this.#describeError(new Error('the gateway is shutting down')));
		}
		const wait = this.#notBefore - performance.now();
		if (!this.#connection && wait > 0) {
			return Promise.reject(this.#describeError(new Error(`${this.#lastFailure}. Retrying in ${Math.ceil(wait / 1000)} s`)));
		}
		this.#connection ??= this.#openConnection();
		return this.#connection;
	}

	async #openConnection(): Promise<McpConnection> {
		const { loadConnect: load, fetch, log } = this.#parts;
		const server = this.#name;
		const connect = await load();
		let current: Promise<McpConnection> | undefined;
		try {
			const opening = connect(
				this.#settings(),
				{
					onClosed: reason => {
						log.warn('an MCP server stopped', { server, reason });
						this.#onConnectFailed(reason);
						if (this.#connection === current) {
							this.#forgetConnection();
						}
					},
					onToolsChanged: () => {
						this.#tools = undefined;
					},
					onOutput: line => log.info('output of an MCP server', { server, line }),
				},
				fetch,
			);
			current = this.#connection;
			return await opening;
		} catch (error) {
			this.#forgetConnection();
			this.#onConnectFailed((error as Error).message);
			log.warn("an MCP server isn't available", { server, reason: (error as Error).message });
			throw this.#describeError(error);
		}
	}

	/** Restarts the server if it is unresponsive after a call timed out. */
	async #restartIfUnresponsive(connection: McpConnection): Promise<void> {
		if (!(await connection.isAlive())) {
			this.#onConnectFailed("it doesn't respond");
			await this.#dropConnection();
		}
	}

	#onConnectFailed(reason: string): void {
		this.#failures++;
		this.#lastFailure = reason;
		const pauseMs = this.#failures < 2 ? 0 : Math.min(1000 * 2 ** (this.#failures - 2), longestPauseMs);
		this.#notBefore = performance.now() + pauseMs;
	}

	#forgetConnection(): void {
		this.#connection = undefined;
		this.#tools = undefined;
	}

	async #dropConnection(): Promise<void> {
		const connection = this.#connection;
		this.#forgetConnection();
		await connection?.then(open => open.close()).catch(() => {});
	}

	#describeError(error: unknown): Error {
		const { message, name } = error as Error;
		return name === 'McpServerError'
			? (error as Error)
			: new McpServerError(`the MCP server '${this.#name}' isn't available: ${message}`, error);
	}
}

class McpServerError extends Error {
	override readonly name = 'McpServerError';

	constructor(message: string, cause: unknown) {
		super(message, { cause });
	}
}
