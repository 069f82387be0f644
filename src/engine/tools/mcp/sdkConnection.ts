import { type CallToolResult, type Client, SdkError, SdkErrorCode, type Tool } from '@modelcontextprotocol/client';
import { findHeaderFault } from './headerParameters.ts';
import type { McpConnection, McpEvents, McpResult, McpServerSettings, McpTool } from './mcpSettings.ts';

const mostTools = 1000;
/** Characters of definitions after which no further page is read. Each page can have megabytes. */
const longestList = 16 * 1024 * 1024;
/** Milliseconds in which a working server responds to a trivial request. */
const briefMs = 2000;

/** A server connected through a client of the SDK, in either era of the protocol. */
export class SdkConnection implements McpConnection {
	readonly #client: Client;
	readonly #timeoutMs: number;
	readonly #isHttp: boolean;
	readonly #events: McpEvents;
	readonly close: () => Promise<void>;
	/** Tool definitions as sent by the server. Their schemas say which parameters go into headers (2026-07-28). */
	#definitions: ReadonlyMap<string, Tool> = new Map();
	#listening: Promise<void> | undefined;

	constructor(client: Client, settings: McpServerSettings, events: McpEvents, close: () => Promise<void>) {
		this.#client = client;
		this.#timeoutMs = settings.timeoutMs;
		this.#isHttp = 'url' in settings;
		this.#events = events;
		this.close = close;
	}

	async listTools(): Promise<readonly McpTool[]> {
		// subscribe before reading the list, so that no later change is missed
		await this.#ensureSubscribed();
		const tools = new Map<string, Tool>();
		let cursor: string | undefined;
		let left = longestList;
		do {
			// the SDK's own reading of all pages fails if a server never sends a last page
			const request = { method: 'tools/list' as const, ...(cursor !== undefined && { params: { cursor } }) };
			const page = await this.#client.request(request, { timeout: this.#timeoutMs }).catch((error: unknown) => {
				throw toTimeoutError(error, this.#timeoutMs) ?? error;
			});
			const before = tools.size;
			for (const tool of page.tools) {
				tools.set(tool.name, tool);
				left -= JSON.stringify(tool).length;
			}
			cursor = tools.size === before ? undefined : page.nextCursor;
		} while (cursor !== undefined && tools.size < mostTools && left > 0);
		const listed = [...tools.values()].slice(0, mostTools);
		this.#definitions = new Map(listed.map(({ name, inputSchema }) => [name, { name, inputSchema }]));
		return listed.map(({ name, description, title, inputSchema }) => {
			const fault = this.#sendsHeaders ? findHeaderFault(inputSchema) : undefined;
			return { name, description: description ?? title ?? name, parameters: inputSchema, ...(fault !== undefined && { fault }) };
		});
	}

	async callTool(name: string, parameters: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpResult> {
		const toolDefinition = this.#definitions.get(name);
		const options = { signal, timeout: this.#timeoutMs, maxTotalTimeout: this.#timeoutMs, ...(toolDefinition && { toolDefinition }) };
		try {
			return toMcpResult(await this.#client.callTool({ name, arguments: { ...parameters } }, options));
		} catch (error) {
			signal.throwIfAborted();
			throw toTimeoutError(error, this.#timeoutMs) ?? error;
		}
	}

	async isAlive(): Promise<boolean> {
		const options = { timeout: briefMs };
		return (this.#isStateless ? this.#client.discover(options) : this.#client.ping(options)).then(
			() => true,
			() => false,
		);
	}

	/** True since version 2026-07-28, in which servers send notifications only to clients that subscribe. */
	get #isStateless(): boolean {
		return this.#client.getProtocolEra() === 'modern';
	}

	/** True if parameters of calls can be sent in headers. */
	get #sendsHeaders(): boolean {
		return this.#isHttp && this.#isStateless;
	}

	/**
	 * Subscribes to changes of the tool list. If the subscription ends, the list is read again on next use. If the server doesn't support
	 * subscriptions, the list is read again only with the next connection.
	 */
	async #ensureSubscribed(): Promise<void> {
		if (!this.#isStateless || this.#client.getServerCapabilities()?.tools?.listChanged !== true) {
			return;
		}
		this.#listening ??= this.#subscribeToToolChanges();
		await this.#listening;
	}

	async #subscribeToToolChanges(): Promise<void> {
		const subscription = await this.#client.listen({ toolsListChanged: true }, { timeout: briefMs }).catch(() => undefined);
		void subscription?.closed.then(how => {
			if (how !== 'local') {
				this.#listening = undefined;
				this.#events.onToolsChanged();
			}
		});
	}
}

/** Converts a timeout to an error with the name that {@link McpConnection.callTool} promises; returns undefined for any other error. */
export function toTimeoutError(error: unknown, timeoutMs: number): Error | undefined {
	if (!(error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)) {
		return undefined;
	}
	const late = new Error(`it didn't respond within ${timeoutMs / 1000} seconds`, { cause: error });
	late.name = 'McpTimeout';
	return late;
}

function toMcpResult({ content, structuredContent, isError }: CallToolResult): McpResult {
	const text = content
		.map(part => {
			switch (part.type) {
				case 'text':
					return part.text;
				case 'resource':
					return 'text' in part.resource ? part.resource.text : `[file omitted: ${part.resource.uri}]`;
				case 'resource_link':
					return `[${part.name}: ${part.uri}]`;
				default:
					return `[${part.type} omitted: ${part.mimeType}]`;
			}
		})
		.join('\n');
	return { text, ...(structuredContent !== undefined && { json: structuredContent }), failed: isError === true };
}
