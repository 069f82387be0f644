import type { AgentLogEntry } from '#engine/agent/agentLogs.ts';
import type { AgentOrder, AgentRound, AgentTool, AgentWork } from '#engine/agent/agentOrder.ts';
import type { ModelReply } from '#engine/nodes/model/modelText.ts';
import type { ModelRequest, ModelToolCall } from '#engine/run/engineTypes.ts';

/** A model's reply: its text chunk by chunk, then its calls. */
export interface WrittenReply {
	readonly text?: string;
	readonly calls?: readonly (Pick<ModelToolCall, 'name' | 'input'> & { readonly id?: string })[];
}

/** Creates an agent run with a model that gives these replies in order, and records its log. */
export function createAgentWork(replies: readonly WrittenReply[], signal = new AbortController().signal) {
	const requests: ModelRequest[] = [];
	const reported: AgentLogEntry[] = [];
	const rounds: AgentRound[] = [];
	const texts: string[] = [];
	const work: AgentWork = {
		signal,
		async askModel(request, onPart): Promise<ModelReply> {
			const { text = '', calls = [] } = replies[requests.length] ?? { text: 'nothing more is written down' };
			requests.push(structuredClone(request));
			for (const piece of text.match(/[\s\S]{1,3}/g) ?? []) {
				onPart({ type: 'text', text: piece });
			}
			const named = calls.map((call, index) => ({ id: `call-${requests.length}-${index}`, ...call }));
			for (const call of named) {
				onPart({ type: 'call', ...call });
			}
			const usage = { promptTokens: 10, completionTokens: 5 };
			return { text, reasoning: '', calls: named, thoughts: [], finishReason: 'stop', usage, warnings: [], latency: 0 };
		},
		streamText: piece => texts.push(piece),
		log: entry => reported.push(entry),
		round: round => rounds.push(round),
	};
	return { work, requests, reported, rounds, texts };
}

/** Creates the task of an agent, by default with function calls in three rounds. */
export function createAgentOrder(tools: readonly AgentTool[], changes: Partial<AgentOrder> = {}): AgentOrder {
	return {
		strategy: 'function_calling',
		model: { model: 'm1' },
		provider: 'p1',
		instruction: 'Be brief.',
		history: [],
		query: 'What time is it?',
		tools,
		maxRounds: 3,
		atLimit: 'refuse-calls',
		...changes,
	};
}

/** Creates a tool with this behavior. */
export function createAgentTool(name: string, use: AgentTool['callTool'], properties: Record<string, unknown> = {}): AgentTool {
	const parameters = { type: 'object', properties };
	return { name, description: `The tool ${name}`, provider: 'test', parameters, callTool: use, completeParameters: given => given };
}
