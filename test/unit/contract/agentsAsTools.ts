import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { EngineServices } from '#engine/run/engineTypes.ts';
import type { ToolSource } from '#engine/tools/engineTool.ts';
import { AgentTools } from '#engine/tools/publishedAgents.ts';
import type { TestNode } from '../engine/run/engineFixture.ts';

const none: ToolSource = { listProviders: async () => [], findTool: async () => undefined, listToolNames: async () => [] };

/** Offers these agents as tools, by name. */
export function createAgentTools(agents: Readonly<Record<string, LoadedAgent>>): Pick<EngineServices, 'tools'> {
	const source = new AgentTools({
		listAgentNames: async () => Object.keys(agents),
		findAgent: async name => {
			const agent = agents[name];
			return agent && { name, appId: name, workflowId: name, agent };
		},
	});
	return { tools: { mcp: none, apis: none, agents: source } };
}

/** Creates a node that uses an agent as a tool. `parameters` maps input names to strings. */
export function createAgentToolNode(
	id: string,
	name: string,
	parameters: Readonly<Record<string, string>> = {},
	data: object = {},
): TestNode {
	return {
		id,
		data: {
			type: 'tool',
			provider_type: 'workflow',
			provider_id: name,
			provider_name: name,
			tool_name: name,
			tool_parameters: Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, { type: 'mixed', value }])),
			...data,
		},
	};
}
