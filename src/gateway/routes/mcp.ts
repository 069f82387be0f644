import type { McpEndpoint } from '../mcp/mcpEndpoint.ts';
import type { Route } from '../server/route.ts';

/** Agents as tools of MCP clients, at `{base_url}/mcp` (beyond the contract). `endpoint` is loaded with the first request. */
export function mcpRoutes(endpoint: () => Promise<McpEndpoint>): readonly Route[] {
	return (['GET', 'POST', 'DELETE'] as const).map(method => ({
		method,
		path: '/mcp',
		group: 'mcp',
		handle: async exchange => (await endpoint()).handle(exchange),
	}));
}
