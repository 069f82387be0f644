import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../process/log.ts';
import type { Exchange } from '../server/exchange.ts';
import type { AgentCallParts } from './agentCalls.ts';
import { McpAgentTools } from './agentTools.ts';
import type { McpServing } from './protocol/serveMcp.ts';
import { sendResponse, toWebRequest } from './webExchange.ts';

interface McpEndpointParts extends AgentCallParts {
	readonly log: Log;
}

/** The endpoint that serves agents of this gateway to MCP clients. */
export class McpEndpoint {
	readonly #serving: McpServing;

	private constructor(serving: McpServing) {
		this.#serving = serving;
	}

	static async openEndpoint({ log, ...parts }: McpEndpointParts): Promise<McpEndpoint> {
		// the SDK is a separate bundle (esbuild.mjs)
		const { serveMcp } = await import('./protocol/serveMcp.ts');
		return new McpEndpoint(serveMcp(new McpAgentTools(parts), error => log.info('MCP request rejected', { reason: error.message })));
	}

	/** Responds to an exchange. Throws an error for a body that isn't JSON or is too large. */
	async handleExchange(exchange: Exchange): Promise<void> {
		const body = exchange.request.method === 'POST' ? await exchange.readRawJson() : undefined;
		await sendResponse(exchange, await this.#serving.handleRequest(toWebRequest(exchange), body));
	}

	/** Ends all sessions, streams and calls. Callers whose runs were just stopped get their results first. */
	async close(): Promise<void> {
		await nextTurn();
		await this.#serving.close();
	}
}
