import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

/** Creates an SDK server with the tools `greet`, `unnamed` (its definition names no header) and optionally `late`. All of them greet. */
export function createNewestServer(greeting: string, tools: () => readonly string[] = () => ['greet']): Server {
	const validator = { getValidator: () => (input: unknown) => ({ valid: true as const, data: input as never, errorMessage: undefined }) };
	const server = new Server(
		{ name: 'newest', version: '1' },
		{ capabilities: { tools: { listChanged: true } }, jsonSchemaValidator: validator },
	);
	server.setRequestHandler('tools/list', async () => ({
		tools: tools().map(tool => ({
			name: tool,
			description: 'Greets',
			inputSchema: { type: 'object', properties: { name: { type: 'string', 'x-mcp-header': tool === 'unnamed' ? '' : 'Name' } } },
		})),
	}));
	server.setRequestHandler('tools/call', async ({ params }) => ({
		content: [{ type: 'text', text: `${greeting} ${params.arguments?.['name']}!` }],
	}));
	return server;
}

/** An MCP server over HTTP that refuses all protocols except 2026-07-28. */
export interface NewestMcp {
	readonly url: string;
	/** Headers of each request. */
	readonly seen: http.IncomingHttpHeaders[];
	/** Adds `late` and notifies listening clients. */
	addLateTool(): void;
	close(): Promise<void>;
}

export async function startNewestMcp(): Promise<NewestMcp> {
	const tools = ['greet', 'unnamed'];
	const handler = createMcpHandler(() => createNewestServer('Ahoy', () => tools), { legacy: 'reject' });
	const { url, seen, close } = await serveRequests(async (request, body, signal) => {
		const init = { method: request.method ?? 'GET', headers: request.headers as Record<string, string>, signal };
		return handler.fetch(new Request(`http://newest${request.url}`, init), { parsedBody: body });
	});
	return {
		url,
		seen,
		addLateTool: () => {
			tools.push('late');
			handler.notify.toolsChanged();
		},
		close: async () => {
			await handler.close();
			close();
		},
	};
}

/** Starts an HTTP server that responds to each request as `answers` defines. */
export async function startScriptedMcp(answers: (method: string, id: unknown) => Response) {
	return serveRequests(async (_, body) => {
		const { method, id } = body as { method: string; id?: unknown };
		return answers(method, id);
	});
}

async function serveRequests(answer: (request: http.IncomingMessage, body: unknown, signal: AbortSignal) => Promise<Response>) {
	const seen: http.IncomingHttpHeaders[] = [];
	const server = http.createServer(async (request, response) => {
		seen.push(request.headers);
		const gone = new AbortController();
		response.on('close', () => gone.abort());
		const text = (await request.toArray()).join('');
		const { status, headers, body } = await answer(request, text === '' ? undefined : JSON.parse(text), gone.signal);
		response.writeHead(status, Object.fromEntries(headers));
		if (body) {
			Readable.fromWeb(body as never)
				.on('error', () => response.destroy())
				.pipe(response);
		} else {
			response.end();
		}
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
		seen,
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}
