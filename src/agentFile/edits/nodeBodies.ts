// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the editor's snippet syntax

/**
 * `data` of each node type, after its type and title: what completion offers and what the graph adds. In the editor's snippet syntax; `¶` stands for the
 * selector of a value, `¶.` for the same in a reference, and `¤` for the model. Node types that only exist inside others come with them.
 */
export const nodeBodies: Readonly<Record<string, { readonly title: string; readonly data: readonly string[] }>> = {
	start: { title: 'Start', data: ['variables:', '  - { variable: ${3:text}, label: ${4:Text}, type: ${5:paragraph}, required: true }'] },
	llm: {
		title: 'Ask',
		data: [
			'model: { provider: ${3:langgenius/openai/openai}, name: ${4:¤}, mode: chat, completion_params: { temperature: ${5:0.2} } }',
			'prompt_template:',
			'  - { role: system, text: "${6:Answer in one sentence.}" }',
			'  - { role: user, text: "{{#${7:¶.}#}}" }',
			'context: { enabled: false, variable_selector: [] }',
			'vision: { enabled: false }',
		],
	},
	'template-transform': {
		title: 'Fill in',
		data: ['template: "${3:{{ text \\}\\}}"', 'variables:', '  - { variable: ${4:text}, value_selector: [${5:¶}] }'],
	},
	code: {
		title: 'Compute',
		data: [
			'code_language: javascript',
			'code: |',
			'  function main({ ${3:text} }) {',
			'    return { ${4:result}: ${5:String(text).length} };',
			'  }',
			'variables:',
			'  - { variable: ${3:text}, value_selector: [${6:¶}] }',
			'outputs:',
			'  ${4:result}: { type: ${7:number} }',
		],
	},
	'if-else': {
		title: 'Which way',
		data: [
			'cases:',
			'  - case_id: "${3:true}"',
			'    logical_operator: and',
			'    conditions:',
			'      - { variable_selector: [${4:¶}], comparison_operator: ${5:contains}, value: "${6:word}" }',
		],
	},
	'question-classifier': {
		title: 'Which kind',
		data: [
			'model: { provider: ${3:langgenius/openai/openai}, name: ${4:¤}, mode: chat, completion_params: {} }',
			'query_variable_selector: [${5:¶}]',
			'instruction: ""',
			'classes:',
			'  - { id: "1", name: ${6:A question} }',
			'  - { id: "2", name: ${7:Anything else} }',
		],
	},
	'parameter-extractor': {
		title: 'Take out',
		data: [
			'model: { provider: ${3:langgenius/openai/openai}, name: ${4:¤}, mode: chat, completion_params: {} }',
			'query: [${5:¶}]',
			'reasoning_mode: prompt',
			'instruction: ""',
			'parameters:',
			'  - { name: ${6:name}, type: string, description: ${7:Name of the person}, required: true }',
		],
	},
	'http-request': {
		title: 'Fetch',
		data: [
			'method: ${3:get}',
			'url: ${4:https://example.com/api}',
			'authorization: { type: no-auth, config: null }',
			'headers: ""',
			'params: ""',
			'body: { type: none, data: [] }',
			'timeout: { connect: 10, read: 60, write: 20 }',
		],
	},
	'document-extractor': { title: 'Read', data: ['variable_selector: [${3:¶}]', 'is_array_file: ${4:false}'] },
	'list-operator': {
		title: 'Pick from',
		data: [
			'variable: [${3:¶}]',
			'filter_by: { enabled: false, conditions: [] }',
			'order_by: { enabled: false, key: "", value: asc }',
			'limit: { enabled: true, size: ${4:10} }',
		],
	},
	'variable-aggregator': { title: 'Bring together', data: ['output_type: ${3:string}', 'variables:', '  - [${4:¶}]'] },
	assigner: {
		title: 'Remember',
		data: [
			'version: "2"',
			'items:',
			'  - { variable_selector: [conversation, ${3:name}], input_type: variable, operation: over-write, value: [${4:¶}] }',
		],
	},
	end: { title: 'End', data: ['outputs:', '  - { variable: ${3:result}, value_selector: [${4:¶}] }'] },
	answer: { title: 'Answer', data: ['answer: "{{#${3:¶.}#}}"'] },
	'knowledge-retrieval': {
		title: 'Look up',
		data: [
			'query_variable_selector: [${3:¶}]',
			'dataset_ids: [${4:handbook}]',
			'retrieval_mode: multiple',
			'multiple_retrieval_config: { top_k: ${5:4}, score_threshold: null, reranking_enable: false }',
		],
	},
	tool: {
		title: 'Use',
		data: [
			'provider_id: ${3:time}',
			'provider_type: ${4:builtin}',
			'provider_name: ${3:time}',
			'tool_name: ${5:current_time}',
			'tool_label: ${6:Current time}',
			'tool_configurations: {}',
			'tool_parameters: {}',
		],
	},
	agent: {
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
	'human-input': {
		title: 'Ask a person',
		data: [
			'form_content: "${3:Is this right?} {{#${4:¶.}#}}"',
			'inputs: []',
			'user_actions:',
			'  - { id: ${5:approve}, title: ${6:Approve}, button_style: primary }',
			'  - { id: ${7:reject}, title: ${8:Reject}, button_style: default }',
			'timeout: ${9:3}',
			'timeout_unit: ${10:day}',
			'delivery_methods:',
			'  - { type: webapp, enabled: true }',
		],
	},
	'trigger-webhook': {
		title: 'Called',
		data: [
			'method: ${3:post}',
			'content_type: application/json',
			'headers: []',
			'params: []',
			'body: []',
			'status_code: 200',
			'response_body: ""',
		],
	},
	'trigger-schedule': { title: 'Each day', data: ['mode: cron', 'cron_expression: "${3:0 9 * * *}"', 'timezone: ${4:UTC}'] },
	'trigger-plugin': {
		title: 'On an event',
		data: [
			'plugin_id: ${3:langgenius/github_trigger}',
			'provider_id: ${4:langgenius/github_trigger/github}',
			'event_name: ${5:issue_opened}',
			'subscription_id: ""',
			'event_parameters: {}',
		],
	},
};

/** The same for types that only stand inside a container of one type. */
export const innerBodies: Readonly<Record<string, { readonly title: string; readonly data: readonly string[]; readonly inside: string }>> =
	{
		'loop-end': { title: 'Enough', data: [], inside: 'loop' },
	};

/** Nodes with others inside them: the container, and what begins a round. */
export const containerBodies: Readonly<Record<string, (id: string, selector: string) => readonly string[]>> = {
	iteration: (id, selector) => [
		`id: \${1:${id}}`,
		'data:',
		'  type: iteration',
		'  title: ${2:For each}',
		`  iterator_selector: [\${3:${selector}}]`,
		`  output_selector: [\${1:${id}}, item]`,
		`  start_node_id: \${1:${id}}_start`,
	],
	loop: id => [
		`id: \${1:${id}}`,
		'data:',
		'  type: loop',
		'  title: ${2:Again}',
		'  loop_count: ${3:3}',
		'  logical_operator: and',
		'  break_conditions: []',
		'  loop_variables: []',
		`  start_node_id: \${1:${id}}_start`,
	],
};
