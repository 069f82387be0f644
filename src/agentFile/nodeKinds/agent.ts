import { textOf } from '#base/records/plainValues.ts';
import { fact } from './cards/cardFacts.ts';
import type { NodeKind } from './nodeKind.ts';
import type { KindWords } from './words/word.ts';

/** Lets a model use tools, in rounds. */
export const agent: NodeKind = {
	type: 'agent',
	icon: 'robot',
	snippet: {
		title: 'Work it out',
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
	facts: data => fact(textOf(data, 'agent_strategy_label') || textOf(data, 'agent_strategy_name')),
};

export const schemaWords = (): KindWords => ({
	agent: {
		text: 'Lets a model use tools on its own, in rounds.',
		fields: {
			agent_node_kind: {
				text: 'Kind of the agent: “dify_agent” is one that the file carries, with a job.',
				examples: ['dify_agent'],
				rare: true,
			},
			agent_strategy_provider_name: { text: 'Provider of the strategy.', examples: ['langgenius/agent/agent'] },
			agent_strategy_name: { text: 'How the model calls its tools.', known: ['function_calling', 'ReAct'] },
			agent_parameters: 'Parameters of the strategy: model, tools, instruction, query, maximum_iterations.',
			'agent_parameters.*': 'A parameter of the strategy.',
			'agent_parameters.*.type': {
				text: 'Text with references (“mixed”), a variable, or a constant.',
				examples: ['mixed', 'variable', 'constant'],
			},
			'agent_parameters.*.value': { text: 'The value, or [node ID, variable].', refers: 'variable' },
			memory: { text: 'Earlier turns of the chat go to the model.', rare: true },
			'memory.window': 'How many turns go along.',
			'memory.window.enabled': 'Whether there is a limit.',
			'memory.window.size': 'Number of turns.',
			'memory.query_prompt_template': { text: 'Text of the latest turn.', form: 'text' },
			agent_binding: { text: 'The agent that the file carries.', rare: true },
			'agent_binding.package_ref': 'Its reference under agent_packages.',
			agent_job: { text: 'What the agent is to do.', rare: true },
			'agent_job.workflow_prompt': { text: 'The job in words; may hold {{#node.variable#}}.', form: 'text' },
			'agent_job.previous_node_output_refs': 'Outputs of other nodes that go with it.',
			'agent_job.previous_node_output_refs[]': 'An output of another node.',
			'agent_job.declared_outputs': 'What the agent has to put out; text, files and json where there is nothing.',
			'agent_job.declared_outputs[]': 'An output of the agent.',
			'agent_job.declared_outputs[].name': 'Name that other nodes know it by.',
			'agent_job.declared_outputs[].type': {
				text: 'Its type.',
				examples: ['string', 'number', 'boolean', 'object', 'array', 'file'],
			},
			'agent_job.declared_outputs[].description': 'What it is, for the model.',
			'agent_job.declared_outputs[].required': 'Whether it has to be there.',
			'agent_job.declared_outputs[].array_item': 'What a list is made of.',
			'agent_job.declared_outputs[].array_item.type': 'Type of each entry.',
			'agent_job.declared_outputs[].failure_strategy': 'What happens where the agent does not give it.',
			'agent_job.declared_outputs[].failure_strategy.retry': 'How often the agent is asked again.',
			'agent_job.declared_outputs[].failure_strategy.retry.enabled': 'Whether it is.',
			'agent_job.declared_outputs[].failure_strategy.retry.max_retries': 'How often, at most.',
			'agent_job.declared_outputs[].failure_strategy.on_failure': 'What happens then.',
			'agent_job.declared_outputs[].failure_strategy.default_value': 'The value then, for “default_value”.',
		},
	},
});
