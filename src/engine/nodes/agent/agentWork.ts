import type { AgentOrder, AgentResult, AgentWork } from '../../agent/agentOrder.ts';
import { runAgentRounds } from '../../agent/runAgentRounds.ts';
import { askModel, type ModelReply, sumUsageMetadata, toUsageOutput } from '../model/modelText.ts';
import type { NodeContext } from '../nodeType.ts';
import type { AgentSettings } from './agentSchema.ts';

export type AgentContext = NodeContext<AgentSettings>;

/** Used if the node has no valid `maximum_iterations`. */
const defaultRounds = 3;
/** Larger values are reduced to this. */
const mostRounds = 30;

/** Reads a number of rounds from a file. */
export function parseMaxRounds(value: unknown): number {
	const number = Math.trunc(Number(value ?? defaultRounds));
	return Number.isNaN(number) ? defaultRounds : Math.min(Math.max(number, 1), mostRounds);
}

/** Runs an agent for a node. Emits its log as events, and streams its text as the node's text if `shown`. */
export async function createAgentWork(
	context: NodeContext<unknown>,
	order: AgentOrder,
	shown: boolean,
	more: Pick<AgentWork, 'round'> = {},
): Promise<AgentResult> {
	const { services, signal, record } = context;
	const replies: ModelReply[] = [];
	try {
		return await runAgentRounds(order, {
			signal,
			askModel: async (request, onPart) => {
				const reply = await askModel(services.models, request, signal, onPart);
				replies.push(reply);
				return reply;
			},
			streamText: piece => {
				if (shown) {
					context.stream('text', piece, false);
				}
			},
			log: entry => context.log(entry),
			...more,
		});
	} finally {
		// a failed agent has used tokens too
		record.metadata = { ...record.metadata, ...sumUsageMetadata(...replies) };
		if (shown) {
			context.stream('text', '', true);
		}
	}
}

/** Returns the total tokens and seconds of all replies, in the format of a node's output. */
export function sumUsage(replies: readonly ModelReply[]): Record<string, unknown> {
	const sumUsageField = (part: (reply: ModelReply) => number) => replies.reduce((total, reply) => total + part(reply), 0);
	const { total_price: totalPrice, currency } = sumUsageMetadata(...replies) as { total_price: string; currency: string };
	const usage = {
		promptTokens: sumUsageField(reply => reply.usage.promptTokens),
		completionTokens: sumUsageField(reply => reply.usage.completionTokens),
		totalPrice,
		currency,
	};
	return toUsageOutput({ usage, latency: sumUsageField(reply => reply.latency) });
}

/** Returns the `json` output of an agent: its log entries, and a last entry for tool data, which is always empty. */
export function buildJsonOutput(context: AgentContext, { logs }: AgentResult): readonly unknown[] {
	return [...logs.map(entry => ({ ...entry, node_id: context.node.id })), { data: [] }];
}
