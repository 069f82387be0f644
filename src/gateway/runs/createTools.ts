import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { ApiTools } from '#engine/tools/api/apiTools.ts';
import type { EngineTool, ToolSource, ToolSources } from '#engine/tools/engineTool.ts';
import { McpServers } from '#engine/tools/mcp/mcpServers.ts';
import type { McpConnect, McpServerSettings } from '#engine/tools/mcp/mcpSettings.ts';
import { AgentTools } from '#engine/tools/publishedAgents.ts';
import { createSearchTool } from '#engine/tools/search.ts';
import { Redactor } from '#network/redaction.ts';
import type { AgentRegistry } from '../agents/agentRegistry.ts';
import type { Log } from '../process/log.ts';
import type { GatewayConfig, McpServerConfig } from '../setup/config.ts';

export interface ToolParts {
	readonly config: Pick<GatewayConfig, 'mcp_servers' | 'api_tools' | 'search'>;
	/** Keys by their names in the configuration. */
	readonly keys: ReadonlyMap<string, string>;
	/** `fetch` function for services named in the configuration. */
	readonly fetch: typeof globalThis.fetch;
	readonly agents: AgentRegistry;
	readonly log: Log;
}

/** Tools in addition to the built-in ones, and a function that stops their servers. */
export interface Tools {
	readonly sources: ToolSources;
	close(): Promise<void>;
}

const defaultTimeoutMs = 60_000;

/** Creates the tools that the configuration and the agent folders offer. Nothing is started or read before its first use. */
export function createTools({ config, keys, fetch, agents, log }: ToolParts): Tools {
	const fillKeys = (place: string, values: Readonly<Record<string, string>> = {}) => fillPlaceholders(values, keys, place);
	const servers = Object.entries(config.mcp_servers).map(
		([name, server]) => [name, () => toServerSettings(server, name, fillKeys)] as const,
	);
	const mcp = new McpServers(Object.fromEntries(servers), { loadConnect: loadMcp, fetch, log });
	const redactor = new Redactor(keys.values());
	const redactKeys = (text: string) => redactor.redactText(text);
	const apis = Object.entries(config.api_tools).map(([name, { schema, base_url: baseUrl, headers }]) => {
		const settings = { schema, getHeaders: () => fillKeys(`api_tools.${name}.headers`, headers), maskKeys: redactKeys };
		return [name, { ...settings, ...(baseUrl !== undefined && { baseUrl }) }] as const;
	});
	const { search } = config;
	return {
		sources: {
			mcp: redactSource(mcp, redactor),
			apis: redactSource(new ApiTools(Object.fromEntries(apis)), redactor),
			agents: new AgentTools({
				listAgentNames: () => agents.listCallableAgents(),
				findAgent: name => findPublishedAgent(agents, name),
			}),
			...(search && {
				search: redactTool(
					createSearchTool({ url: search.url, getHeaders: () => fillKeys('search.headers', search.headers), maskKeys: redactKeys }),
					redactor,
				),
			}),
		},
		close: () => mcp.close(),
	};
}

/** Redacts keys in results and errors, because services may repeat them: no key may reach a model or a record. */
function redactSource(source: ToolSource, redactor: Redactor): ToolSource {
	return {
		listProviders: () => source.listProviders(),
		listToolNames: provider => source.listToolNames(provider),
		findTool: async (provider, name) => {
			const tool = await source.findTool(provider, name);
			return tool && redactTool(tool, redactor);
		},
	};
}

function redactTool(tool: EngineTool, redactor: Redactor): EngineTool {
	return {
		...tool,
		use: async (parameters, context) => {
			try {
				return redactor.redactValue(await tool.use(parameters, context));
			} catch (error) {
				context.signal.throwIfAborted();
				throw redactor.redactCause(error);
			}
		},
	};
}

/** Loads the SDK, which is a separate bundle (esbuild.mjs), when the first server is used. */
async function loadMcp(): Promise<McpConnect> {
	return (await import('#engine/tools/mcp/mcpConnection.ts')).connectToMcpServer;
}

type WithKeys = (place: string, values?: Readonly<Record<string, string>>) => Record<string, string>;

function toServerSettings(server: McpServerConfig, name: string, withKeys: WithKeys): McpServerSettings {
	const timeoutMs = server.timeout === undefined ? defaultTimeoutMs : server.timeout * 1000;
	if ('url' in server) {
		return { url: server.url, headers: withKeys(`mcp_servers.${name}.headers`, server.headers), timeoutMs };
	}
	const { command, args = [], env, cwd } = server;
	return { command, args, env: withKeys(`mcp_servers.${name}.env`, env), timeoutMs, ...(cwd !== undefined && { cwd }) };
}

/**
 * Replaces placeholders with keys.
 * @throws {Error} that names a key that the gateway doesn't have
 */
function fillPlaceholders(
	values: Readonly<Record<string, string>>,
	keys: ReadonlyMap<string, string>,
	place: string,
): Record<string, string> {
	return Object.fromEntries(
		Object.entries(values).map(([name, value]) => [
			name,
			value.replace(/\$\{key:([^{}]+)\}/g, (_, key: string) => {
				const found = keys.get(key);
				if (found === undefined) {
					throw new Error(`The gateway has no key '${key}', which ${place}.${name} uses`);
				}
				return found;
			}),
		]),
	);
}

async function findPublishedAgent(agents: AgentRegistry, name: string) {
	try {
		const { row, agent, workflowId } = await agents.getPublishedVersion(name);
		return { name: row.name, appId: row.app_id, workflowId, agent };
	} catch (error) {
		if (error instanceof ServiceFault && error.status === 404) {
			return undefined;
		}
		throw error;
	}
}
