import { endpoints } from '#contract/endpoints/endpoints.ts';
import type { McpEndpoint } from '../mcp/mcpEndpoint.ts';
import { type Route, serve } from '../server/route.ts';

/** Routes that serve agents as tools for MCP clients, at `{base_url}/mcp` (beyond the contract). Loads `endpoint` on the first request. */
export function mcpRoutes(endpoint: () => Promise<McpEndpoint>): readonly Route[] {
	const { mcpEvents, mcpMessage, endMcpSession } = endpoints;
	return [mcpEvents, mcpMessage, endMcpSession].map(each => serve(each, async exchange => (await endpoint()).handle(exchange)));
}
