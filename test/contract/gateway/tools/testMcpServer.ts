import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as z from 'zod';

/** Creates an MCP server with three tools: one greets, one returns an object, one fails. */
export function createTestMcpServer(greeting: string): McpServer {
	const server = new McpServer({ name: 'test', version: '1' });
	server.registerTool('greet', { description: 'Greets somebody', inputSchema: { name: z.string() } }, ({ name }) => ({
		content: [{ type: 'text', text: `${greeting} ${name}!` }],
	}));
	server.registerTool('facts', { description: 'Facts', inputSchema: {}, outputSchema: { n: z.number() } }, () => ({
		content: [],
		structuredContent: { n: 42 },
	}));
	server.registerTool('fail', { description: 'Fails' }, () => ({ isError: true, content: [{ type: 'text', text: 'no luck today' }] }));
	return server;
}

/**
 * Starts the server over HTTP, with a separate instance per session.
 * @returns its address, the headers of each request and a stop function
 */
export async function startHttpMcp(): Promise<{ readonly url: string; readonly seen: http.IncomingHttpHeaders[]; close(): void }> {
	const seen: http.IncomingHttpHeaders[] = [];
	const server = http.createServer(async (request, response) => {
		seen.push(request.headers);
		const transport = new StreamableHTTPServerTransport({});
		await createTestMcpServer('Ahoy').connect(transport as never);
		await transport.handleRequest(request, response);
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/mcp`,
		seen,
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}
