import { endpoints } from '#contract/endpoints/endpoints.ts';
import type { McpEndpoint } from '../mcp/mcpEndpoint.ts';
import { createRoute, type Route } from '../server/route.ts';

/** Routes that serve agents as tools to MCP clients, at `{base_url}/mcp` (not in the contract). Loads `endpoint` on the first request. */
export function createMcpRoutes(endpoint: () => Promise<McpEndpoint>): readonly Route[] {
	const { mcpEvents, mcpMessage, endMcpSession } = endpoints;
	return [mcpEvents, mcpMessage, endMcpSession].map(each =>
		createRoute(each, async exchange => (await endpoint()).handleExchange(exchange)),
	);
}
