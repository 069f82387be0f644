import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { ServedTools } from '../servedTools.ts';
import { McpSessions } from './mcpSessions.ts';
import { createToolServer } from './toolServer.ts';

/** Serves tools at one URL, for both generations of the protocol. */
export interface McpServing {
	/**
	 * Responds to one request, whose signal aborts when the client disconnects.
	 * @param body parsed body of a POST
	 */
	handleRequest(request: Request, body: unknown): Promise<Response>;
	/** Ends all sessions, streams and calls. */
	close(): Promise<void>;
}

/** Maximum open streams of clients listening for changes. */
const mostListeners = 200;

/**
 * Serves tools with the official SDK: as self-contained requests (2026-07-28), and in sessions (until 2025-11-25), which older clients need
 * to cancel calls and to receive changes. This module is a separate bundle, which is loaded with the first request.
 * @param failed called with errors of the SDK
 */
export function serveMcp(tools: ServedTools, failed: (error: Error) => void): McpServing {
	const modern = createMcpHandler(() => createToolServer(tools), {
		legacy: 'reject',
		// keeps the stream of a long call alive
		responseMode: 'sse',
		maxSubscriptions: mostListeners,
		onerror: failed,
	});
	const sessions = new McpSessions(started => createToolServer(tools, started));
	const changes = watchTools(tools, () => {
		modern.notify.toolsChanged();
		sessions.notifyToolsChanged();
	});
	return {
		handleRequest: async (request, body) =>
			(await isLegacyRequest(request, body)) ? sessions.handleRequest(request, body) : modern.fetch(request, { parsedBody: body }),
		close: async () => {
			changes();
			await Promise.all([modern.close(), sessions.close()]);
		},
	};
}

/** Calls `changed` if the list has changed. Agents change each time a file is saved, but tools rarely do. */
function watchTools(tools: ServedTools, changed: () => void): () => void {
	const readTools = async () => JSON.stringify(await tools.listTools());
	let lastRead = readTools();
	return tools.onChange(() => {
		const before = lastRead;
		lastRead = (async () => {
			const [last, now] = [await before.catch(() => ''), await readTools()];
			if (now !== last) {
				changed();
			}
			return now;
		})();
		// after a read error, compare again at the next change
		lastRead.catch(() => {});
	});
}
