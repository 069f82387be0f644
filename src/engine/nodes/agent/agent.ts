import { nodeType } from '../nodeType.ts';
import { agentSchema } from './agentSchema.ts';
import { runPortableAgent } from './portableAgent.ts';
import { runStrategyAgent } from './strategyAgent.ts';

/** Lets a model use tools on its own: by a strategy and its parameters, or by a job for an agent that the file carries. */
export const agent = nodeType({
	type: 'agent',
	schema: agentSchema,
	run: context => (context.settings.agent_node_kind === 'dify_agent' ? runPortableAgent(context) : runStrategyAgent(context)),
});
