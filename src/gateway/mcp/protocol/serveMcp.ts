import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { ServedTools } from '../servedTools.ts';
import { McpSessions } from './mcpSessions.ts';
import { toolServer } from './toolServer.ts';

/** Tools behind one address, in both eras of the protocol. */
export interface McpServing {
	/**
	 * Answers one request; its signal says when the client has gone.
	 * @param body of a POST, parsed
	 */
	answer(request: Request, body: unknown): Promise<Response>;
	/** Ends all sessions, streams and calls. */
	close(): Promise<void>;
}

/** Open streams of clients that want to hear of changes. */
const mostListeners = 200;

/**
 * Serves tools by the official SDK: requests that carry all they need (2026-07-28), and sessions (until 2025-11-25), by which alone clients of before can
 * cancel and hear of changes. This module is a bundle of its own, loaded with the first request.
 * @param failed hears what the SDK could not answer in order
 */
export function serveMcp(tools: ServedTools, failed: (error: Error) => void): McpServing {
	const modern = createMcpHandler(() => toolServer(tools), {
		legacy: 'reject',
		// a call may take long before it has anything to say: its stream is kept alive
		responseMode: 'sse',
		maxSubscriptions: mostListeners,
		onerror: failed,
	});
	const sessions = new McpSessions(started => toolServer(tools, started));
	const changes = watchList(tools, () => {
		modern.notify.toolsChanged();
		sessions.toolsChanged();
	});
	return {
		answer: async (request, body) =>
			(await isLegacyRequest(request, body)) ? sessions.answer(request, body) : modern.fetch(request, { parsedBody: body }),
		close: async () => {
			changes();
			await Promise.all([modern.close(), sessions.close()]);
		},
	};
}

/** Calls back when the list is another one: agents change with each file that is saved, tools rarely. */
function watchList(tools: ServedTools, changed: () => void): () => void {
	const read = async () => JSON.stringify(await tools.list());
	let told = read();
	return tools.onChange(() => {
		const before = told;
		told = (async () => {
			const [last, now] = [await before.catch(() => ''), await read()];
			if (now !== last) {
				changed();
			}
			return now;
		})();
		// what cannot be read now is told of with the next change
		told.catch(() => {});
	});
}
