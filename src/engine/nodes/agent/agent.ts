import { defineNodeType } from '../nodeType.ts';
import { agentSchema } from './agentSchema.ts';
import { runPortableAgent } from './portableAgent.ts';
import { runStrategyAgent } from './strategyAgent.ts';

/** Agent node: lets a model use tools, configured by a strategy and its parameters, or by a job for an agent included in the file. */
export const agent = defineNodeType({
	type: 'agent',
	schema: agentSchema,
	run: context => (context.settings.agent_node_kind === 'dify_agent' ? runPortableAgent(context) : runStrategyAgent(context)),
});
