import { getFieldText } from '#base/records/plainValues.ts';
import { createFact } from './cards/cardFacts.ts';
import type { KindLabels } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Lets a model use tools in several iterations. */
export const agent: NodeKind = {
	type: 'agent',
	icon: 'robot',
	hasSideEffects: () => true,
	snippet: {
		title: 'Agent',
		data: [
			'agent_strategy_provider_name: langgenius/agent/agent',
			'agent_strategy_name: ${3:function_calling}',
			'agent_strategy_label: FunctionCalling',
			'agent_parameters:',
			'  model:',
			'    type: constant',
			'    value: { provider: ${4:langgenius/openai/openai}, model: ${5:¤}, model_type: llm, mode: chat, completion_params: {} }',
			'  instruction: { type: mixed, value: "${6:Use the tools that you have. Answer in one sentence.}" }',
			'  query: { type: mixed, value: "{{#${7:¶.}#}}" }',
			'  maximum_iterations: { type: constant, value: ${8:5} }',
			'  tools: { type: constant, value: [] }',
		],
	},
	outputs: ['text:string', 'files:array[file]', 'json:array[object]', 'usage:object'],
	openOutputs: true,
	createFacts: data => createFact(getFieldText(data, 'agent_strategy_label') || getFieldText(data, 'agent_strategy_name')),
};

export const describeKind = (): KindLabels => ({
	agent: {
		text: 'Lets a model use tools autonomously, in several iterations.',
		fields: {
			agent_node_kind: {
				text: "Kind of agent. Use 'dify_agent' to run an agent that's included in the file.",
				examples: ['dify_agent'],
				rare: true,
			},
			agent_strategy_provider_name: { text: 'Provider of the strategy.', examples: ['langgenius/agent/agent'] },
			agent_strategy_name: {
				text: "How the model calls tools: through native function calls ('function_calling') or through text ('ReAct').",
				known: ['function_calling', 'ReAct'],
			},
			agent_parameters: 'Parameters of the strategy: model, tools, instruction, query, maximum_iterations.',
			'agent_parameters.*': 'A parameter of the strategy.',
			'agent_parameters.*.type': {
				text: "Whether the value is text with references ('mixed'), a variable or a constant.",
				examples: ['mixed', 'variable', 'constant'],
			},
			'agent_parameters.*.value': { text: 'The value, or [node ID, variable].', refers: 'variable' },
			memory: { text: 'Sends the conversation history to the model.', rare: true },
			'memory.window': 'Limit on the conversation history.',
			'memory.window.enabled': 'Whether to limit the conversation history.',
			'memory.window.size': 'Maximum number of earlier messages to send.',
			'memory.query_prompt_template': { text: 'Template for the latest user message.', form: 'text' },
			agent_binding: { text: 'Agent in the file that performs the task.', rare: true },
			'agent_binding.package_ref': 'Key of the agent in agent_packages.',
			agent_job: { text: 'Task of the agent.', rare: true },
			'agent_job.workflow_prompt': { text: 'Description of the task. Can contain {{#node.variable#}}.', form: 'text' },
			'agent_job.previous_node_output_refs': 'Outputs of other nodes to pass to the agent.',
			'agent_job.previous_node_output_refs[]': 'An output of another node.',
			'agent_job.declared_outputs': 'Outputs that the agent must provide. Default: text, files and json.',
			'agent_job.declared_outputs[]': 'An output of the agent.',
			'agent_job.declared_outputs[].name': 'Name of the output.',
			'agent_job.declared_outputs[].type': {
				text: 'Type of the output.',
				examples: ['string', 'number', 'boolean', 'object', 'array', 'file'],
			},
			'agent_job.declared_outputs[].description': 'Description for the model.',
			'agent_job.declared_outputs[].required': 'Whether the output is required.',
			'agent_job.declared_outputs[].array_item': "Entries of the output, if it's a list.",
			'agent_job.declared_outputs[].array_item.type': 'Type of each entry.',
			'agent_job.declared_outputs[].failure_strategy': "What happens if the agent doesn't provide the output.",
			'agent_job.declared_outputs[].failure_strategy.retry': 'Whether and how often to retry.',
			'agent_job.declared_outputs[].failure_strategy.retry.enabled': 'Whether to retry if the output is missing or invalid.',
			'agent_job.declared_outputs[].failure_strategy.retry.max_retries': 'Maximum number of retries.',
			'agent_job.declared_outputs[].failure_strategy.on_failure': 'What happens after the last retry.',
			'agent_job.declared_outputs[].failure_strategy.default_value':
				"Value to use after the last retry if 'on_failure' is 'default_value'.",
		},
	},
});
