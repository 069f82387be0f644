import type { ModelReply } from '../nodes/model/modelText.ts';
import { AgentLogs } from './agentLogs.ts';
import type { AgentOrder, AgentResult, AgentWork } from './agentOrder.ts';
import { CallingRounds } from './callingRounds.ts';
import { ReactRounds } from './reactRounds.ts';
import { assignUniqueNames } from './toolNames.ts';

/**
 * Runs an agent: asks its model, calls tools and passes their results back until the model calls none or the rounds are used up (DSL
 * additions, "agent"). Shared by agent nodes and agent-chat apps.
 * @throws {NodeError} if the model fails, or calls a tool in the round after the last
 */
export async function runAgentRounds(order: AgentOrder, work: AgentWork): Promise<AgentResult> {
	const logs = new AgentLogs(entry => work.log(entry));
	const replies: ModelReply[] = [];
	let text = '';
	const kept: AgentWork = {
		...work,
		askModel: async (request, onPart) => {
			work.signal.throwIfAborted();
			const reply = await work.askModel(request, onPart);
			replies.push(reply);
			return reply;
		},
		streamText: piece => {
			if (piece !== '') {
				text += piece;
				work.streamText(piece);
			}
		},
	};
	const named = { ...order, tools: assignUniqueNames(order.tools) };
	const rounds = order.strategy === 'ReAct' ? new ReactRounds(named, kept, logs) : new CallingRounds(named, kept, logs);
	const most = order.maxRounds + (order.atLimit === 'ask-once-more' ? 1 : 0);
	try {
		for (let number = 1; number <= most; number++) {
			if (!(await rounds.runRound(number))) {
				break;
			}
		}
	} catch (error) {
		logs.failOpenEntries((error as Error).message);
		throw error;
	}
	return { text, replies, logs: logs.all };
}
