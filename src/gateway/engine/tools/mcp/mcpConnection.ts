import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
	type CallToolResult,
	CallToolResultSchema,
	ErrorCode,
	McpError,
	ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { McpConnect, McpConnection, McpResult, McpServerSettings, McpTool } from './mcpSettings.ts';
import { StdioTransport } from './stdioTransport.ts';

const mostTools = 1000;
/** Milliseconds in which a server that works answers a ping. */
const pingMs = 2000;

/** Connects to a server by the official SDK. This module is a bundle of its own, loaded with the first tool that needs it. */
export const connect: McpConnect = async (settings, events, fetch) => {
	const program = 'command' in settings ? new StdioTransport(settings, line => events.said(line)) : undefined;
	const transport: Transport = program ?? httpTransport(settings, fetch);
	const client = new Client({ name: 'agent-workbench', version: '1' }, { capabilities: {}, jsonSchemaValidator: noValidator });
	client.setNotificationHandler(ToolListChangedNotificationSchema, () => events.toolsChanged());
	let state: 'opening' | 'open' | 'closing' = 'opening';
	client.onclose = () => {
		if (state === 'open') {
			events.closed(program?.reason || 'the connection is over');
		}
	};
	const close = async () => {
		state = 'closing';
		await client.close().catch(() => {});
		await transport.close();
	};
	try {
		await client.connect(transport, { timeout: settings.timeoutMs * 2 });
		state = 'open';
		if (program?.reason) {
			throw new Error(program.reason);
		}
	} catch (error) {
		const reason = program?.reason;
		await close();
		throw reason ? new Error(`the program ${reason}`, { cause: error }) : error;
	}
	return new SdkConnection(client, settings, close);
};

/** What tools put out is shown to a model, which needs no schema of it; and a schema of the server's is not compiled here. */
const noValidator = {
	getValidator:
		<T>() =>
		(input: unknown) => ({ valid: true as const, data: input as T & {}, errorMessage: undefined }),
};

function httpTransport(settings: McpServerSettings, fetch: typeof globalThis.fetch): Transport {
	const { url, headers } = settings as Extract<McpServerSettings, { url: string }>;
	return new StreamableHTTPClientTransport(new URL(url), { fetch, requestInit: { headers: { ...headers } } }) as Transport;
}

class SdkConnection implements McpConnection {
	readonly #client: Client;
	readonly #timeoutMs: number;
	readonly close: () => Promise<void>;

	constructor(client: Client, { timeoutMs }: McpServerSettings, close: () => Promise<void>) {
		this.#client = client;
		this.#timeoutMs = timeoutMs;
		this.close = close;
	}

	async tools(): Promise<readonly McpTool[]> {
		const tools: McpTool[] = [];
		let cursor: string | undefined;
		do {
			const page = await this.#client.listTools(cursor === undefined ? {} : { cursor }, { timeout: this.#timeoutMs });
			tools.push(
				...page.tools.map(({ name, description, title, inputSchema }) => ({
					name,
					description: description ?? title ?? name,
					parameters: inputSchema,
				})),
			);
			cursor = page.nextCursor === cursor || page.tools.length === 0 ? undefined : page.nextCursor;
		} while (cursor !== undefined && tools.length < mostTools);
		return tools.slice(0, mostTools);
	}

	async call(name: string, parameters: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpResult> {
		const options = { signal, timeout: this.#timeoutMs, maxTotalTimeout: this.#timeoutMs };
		try {
			const result = await this.#client.callTool({ name, arguments: { ...parameters } }, CallToolResultSchema, options);
			return resultOf(result as CallToolResult);
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof McpError && error.code === ErrorCode.RequestTimeout) {
				const late = new Error(`it did not answer within ${this.#timeoutMs / 1000} seconds`);
				late.name = 'McpTimeout';
				throw late;
			}
			throw error;
		}
	}

	async answers(): Promise<boolean> {
		return this.#client.ping({ timeout: pingMs }).then(
			() => true,
			() => false,
		);
	}
}

function resultOf({ content, structuredContent, isError }: CallToolResult): McpResult {
	const text = content
		.map(part => {
			switch (part.type) {
				case 'text':
					return part.text;
				case 'resource':
					return 'text' in part.resource ? part.resource.text : `[${part.resource.uri}: a file, which is not carried over]`;
				case 'resource_link':
					return `[${part.name}: ${part.uri}]`;
				default:
					return `[${part.type} of type ${part.mimeType}, which is not carried over]`;
			}
		})
		.join('\n');
	return { text, ...(structuredContent !== undefined && { json: structuredContent }), failed: isError === true };
}
