import type { AgentRegistry } from '../agents/agentRegistry.ts';
import { type AgentCallParts, callAgent } from './agentCalls.ts';
import type { ServedTool, ServedTools, ToolCall, ToolReply } from './servedTools.ts';
import { schemaOf, toolInputs } from './toolInputs.ts';
import { toolNames } from './toolNames.ts';

/** Offers each callable agent of this gateway (published, or publishable by its first run) as a tool. */
export class McpAgentTools implements ServedTools {
	readonly #parts: AgentCallParts;

	constructor(parts: AgentCallParts) {
		this.#parts = parts;
	}

	async list(): Promise<readonly ServedTool[]> {
		const { agents } = this.#parts;
		const tools = [...(await this.#names())].map(([name, agent]) => toolOf(agents, name, agent));
		return (await Promise.all(tools)).filter(tool => tool !== undefined);
	}

	async call(call: ToolCall): Promise<ToolReply | undefined> {
		const agent = (await this.#names()).get(call.name);
		return agent === undefined ? undefined : callAgent(this.#parts, agent, call);
	}

	onChange(listener: () => void): () => void {
		return this.#parts.agents.onChange(listener);
	}

	async #names(): Promise<ReadonlyMap<string, string>> {
		return toolNames([...(await this.#parts.agents.callable())].sort());
	}
}

/** Returns undefined for an agent that was deleted or whose published version can't be read any more. */
async function toolOf(agents: AgentRegistry, name: string, agentName: string): Promise<ServedTool | undefined> {
	const { agent } = await agents.described(agentName).catch(() => ({ agent: undefined }));
	return (
		agent && {
			name,
			title: agent.appName || agentName,
			description: agent.description || `Runs the agent ${agent.appName || agentName}.`,
			inputSchema: schemaOf(toolInputs(agent)),
		}
	);
}
