import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../process/log.ts';
import type { Exchange } from '../server/exchange.ts';
import type { AgentCallParts } from './agentCalls.ts';
import { McpAgentTools } from './agentTools.ts';
import type { McpServing } from './protocol/serveMcp.ts';
import { requestOf, sendResponse } from './webExchange.ts';

/** What the endpoint needs. */
interface McpEndpointParts extends AgentCallParts {
	readonly log: Log;
}

/** The address at which MCP clients find the agents of this gateway. */
export class McpEndpoint {
	readonly #serving: McpServing;

	private constructor(serving: McpServing) {
		this.#serving = serving;
	}

	static async open({ log, ...parts }: McpEndpointParts): Promise<McpEndpoint> {
		// the SDK is a bundle of its own (esbuild.mjs)
		const { serveMcp } = await import('./protocol/serveMcp.ts');
		return new McpEndpoint(serveMcp(new McpAgentTools(parts), error => log.info('an MCP request was refused', { reason: error.message })));
	}

	/** Answers an exchange. Throws a fault for a body that is no JSON, or too large. */
	async handle(exchange: Exchange): Promise<void> {
		const body = exchange.request.method === 'POST' ? await exchange.rawJson() : undefined;
		await sendResponse(exchange, await this.#serving.answer(requestOf(exchange), body));
	}

	/** Ends all sessions, streams and calls. Callers whose runs have just been stopped are told so first. */
	async close(): Promise<void> {
		await nextTurn();
		await this.#serving.close();
	}
}
