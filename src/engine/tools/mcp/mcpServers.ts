import type { EngineTool, ToolSource } from '../engineTool.ts';
import { type McpParts, McpServer } from './mcpServer.ts';
import type { McpServerSettings } from './mcpSettings.ts';

/** The configured MCP servers by name, as providers of tools. */
export class McpServers implements ToolSource {
	readonly #servers: ReadonlyMap<string, McpServer>;

	constructor(servers: Readonly<Record<string, () => McpServerSettings>>, parts: McpParts) {
		this.#servers = new Map(Object.entries(servers).map(([name, settings]) => [name, new McpServer(name, settings, parts)]));
	}

	async listProviders(): Promise<readonly string[]> {
		return [...this.#servers.keys()];
	}

	async findTool(provider: string, name: string): Promise<EngineTool | undefined> {
		const server = this.#servers.get(provider);
		const tool = (await server?.listTools())?.find(offered => offered.name === name);
		if (tool?.fault !== undefined) {
			throw new Error(`the definition of the tool '${name}' of the MCP server '${provider}' isn't valid (${tool.fault})`);
		}
		return (
			server &&
			tool && {
				...tool,
				provider,
				use: (parameters, { signal }) => server.callTool(name, parameters, signal),
			}
		);
	}

	async listToolNames(provider: string): Promise<readonly string[]> {
		return ((await this.#servers.get(provider)?.listTools()) ?? []).filter(({ fault }) => fault === undefined).map(({ name }) => name);
	}

	/** Stops all running servers. */
	async close(): Promise<void> {
		await Promise.all([...this.#servers.values()].map(server => server.close()));
	}
}
