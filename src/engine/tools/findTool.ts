import { NodeError } from '../nodes/nodeError.ts';
import type { EngineServices } from '../run/engineTypes.ts';
import { builtInTools } from './builtInTools.ts';
import type { EngineTool, ToolSource } from './engineTool.ts';
import { searchTools } from './search.ts';

/** A reference to a tool in an agent file. */
interface ToolReference {
	/** `provider_type`: builtin, plugin, api, workflow, mcp, … */
	readonly type: string;
	/** ID and name of the provider, if the file has them. */
	readonly providers: readonly string[];
	readonly name: string;
	/** The tool's name in messages. */
	readonly label: string;
}

/**
 * Finds the tool that an agent file refers to, either built in or from the user's configuration. A plugin's tool is provided by an MCP
 * server or OpenAPI description with the plugin's name.
 * @throws {NodeError} that says how to provide the tool
 */
export async function findTool(reference: ToolReference, { tools }: EngineServices): Promise<EngineTool> {
	const { type, name } = reference;
	const findInSource = (source: ToolSource | undefined) => findFirstTool(source, reference);
	switch (type) {
		case 'mcp':
			return (await findInSource(tools?.mcp)) ?? throwMissingTool(reference, await describeSupply(tools?.mcp, reference, mcpWords));
		case 'api':
			return (await findInSource(tools?.apis)) ?? throwMissingTool(reference, await describeSupply(tools?.apis, reference, apiWords));
		case 'workflow':
		case 'app':
			return (await findInSource(tools?.agents)) ?? throwMissingTool(reference, await describeAgents(reference, tools?.agents));
	}
	const known = builtInTools.get(name);
	if (known) {
		return known;
	}
	if (searchTools.has(name) && tools?.search) {
		return { ...tools.search, name };
	}
	const offered = (await findInSource(tools?.mcp)) ?? (await findInSource(tools?.apis));
	return offered ?? throwMissingTool(reference, searchTools.has(name) ? searchWords : describePlugin(reference));
}

/** Returns the full names of the providers, then their last segments, because plugins are named `author/plugin/provider`. */
function listProviderNames({ providers }: ToolReference): readonly string[] {
	return [...new Set(providers.flatMap(name => [name, name.split('/').at(-1) ?? '']))].filter(name => name !== '');
}

async function findFirstTool(source: ToolSource | undefined, reference: ToolReference): Promise<EngineTool | undefined> {
	const names =
		reference.type === 'workflow' || reference.type === 'app'
			? [reference.name, ...listProviderNames(reference)]
			: listProviderNames(reference);
	for (const provider of source ? names : []) {
		const tool = await source?.findTool(provider, reference.name);
		if (tool) {
			return tool;
		}
	}
	return undefined;
}

function throwMissingTool({ label, name }: ToolReference, supply: string): never {
	throw new NodeError(`The tool '${label || name}' isn't available. ${supply}`, 'ToolInvokeError');
}

interface SupplyStrings {
	readonly what: string;
	readonly setting: string;
}

const mcpWords: SupplyStrings = {
	what: 'MCP server',
	setting: "agentWorkbench.gateway.mcpServers ('mcp_servers' in a gateway's configuration)",
};
const apiWords: SupplyStrings = {
	what: 'OpenAPI description',
	setting: "agentWorkbench.gateway.apiTools ('api_tools' in a gateway's configuration)",
};

async function describeSupply(source: ToolSource | undefined, reference: ToolReference, { what, setting }: SupplyStrings): Promise<string> {
	const names = listProviderNames(reference);
	const providers = (await source?.listProviders()) ?? [];
	const provider = names.find(name => providers.includes(name));
	if (!source || provider === undefined) {
		const known = providers.length > 0 ? ` Available: ${providers.join(', ')}.` : '';
		return `It belongs to the ${what} '${names.at(-1) ?? '?'}'. Add it to ${setting}.${known}`;
	}
	const offered = await source.listToolNames(provider);
	return `The ${what} '${provider}' has no tool '${reference.name}'. Available: ${offered.slice(0, 20).join(', ') || 'none'}.`;
}

async function describeAgents({ name }: ToolReference, source: ToolSource | undefined): Promise<string> {
	const known = (await source?.listProviders()) ?? [];
	return `It's the agent '${name}', which isn't published here. Put its file in an agents folder and publish it.${known.length > 0 ? ` Available: ${known.slice(0, 20).join(', ')}.` : ''}`;
}

const searchWords = "It searches the web. Set a search service in agentWorkbench.gateway.search ('search' in a gateway's configuration).";

function describePlugin(reference: ToolReference): string {
	const provider = listProviderNames(reference).at(-1) ?? 'a plugin';
	return `It belongs to the plugin '${provider}', which runs only in Dify. Provide '${reference.name}' with an MCP server named '${provider}' in ${mcpWords.setting}, or run the agent on its Dify server.`;
}
