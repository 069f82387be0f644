import type { AgentRegistry } from '../agents/agentRegistry.ts';
import { type AgentCallParts, callAgent } from './agentCalls.ts';
import type { ServedTool, ServedTools, ToolCall, ToolReply } from './servedTools.ts';
import { getToolInputs, toInputSchema } from './toolInputs.ts';
import { createToolNames } from './toolNames.ts';

/** Offers each callable agent of this gateway as a tool: agents that are published, or that their first run would publish. */
export class McpAgentTools implements ServedTools {
	readonly #parts: AgentCallParts;

	constructor(parts: AgentCallParts) {
		this.#parts = parts;
	}

	async listTools(): Promise<readonly ServedTool[]> {
		const { agents } = this.#parts;
		const tools = [...(await this.#getToolNames())].map(([name, agent]) => createTool(agents, name, agent));
		return (await Promise.all(tools)).filter(tool => tool !== undefined);
	}

	async callTool(call: ToolCall): Promise<ToolReply | undefined> {
		const agent = (await this.#getToolNames()).get(call.name);
		return agent === undefined ? undefined : callAgent(this.#parts, agent, call);
	}

	onChange(listener: () => void): () => void {
		return this.#parts.agents.onChange(listener);
	}

	async #getToolNames(): Promise<ReadonlyMap<string, string>> {
		return createToolNames([...(await this.#parts.agents.listCallableAgents())].sort());
	}
}

/** Creates the tool of an agent. Returns undefined if the agent was deleted or its published version can't be read anymore. */
async function createTool(agents: AgentRegistry, name: string, agentName: string): Promise<ServedTool | undefined> {
	const { agent } = await agents.getDescribedVersion(agentName).catch(() => ({ agent: undefined }));
	return (
		agent && {
			name,
			title: agent.appName || agentName,
			description: agent.description || `Runs the agent ${agent.appName || agentName}.`,
			inputSchema: toInputSchema(getToolInputs(agent)),
		}
	);
}
