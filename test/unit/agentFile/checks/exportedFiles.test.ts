import assert from 'node:assert/strict';
import fs from 'node:fs';
import { stringify } from 'yaml';
import { findAgentFaults } from '#agentFile/checks/agentFaults.ts';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { findAgentHover } from '#agentFile/hovers/agentHover.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import { agentFileSchemaPath } from '../../../../scripts/agentFileSchema.ts';
import { english } from '../../../support/english.ts';

const schema = new AgentSchema(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')));

// like exports of the hosted service, with all fields of its newest version (DSL additions)
const createNode = (id: string, data: object) => ({ id, type: 'custom', position: { x: 0, y: 0 }, data: { title: id, ...data } });
const createWorkflow = (
	nodes: readonly object[],
	edges: readonly (readonly string[])[],
	more: { top?: object; features?: object } = {},
	mode = 'workflow',
) => ({
	version: '0.7.0',
	kind: 'app',
	app: { name: 'n', mode, icon: 'x', description: '' },
	dependencies: [],
	...(more.top ?? {}),
	workflow: {
		environment_variables: [],
		conversation_variables: [],
		features: more.features ?? {},
		graph: {
			nodes,
			edges: edges.map(([s, t, h = 'source'], i) => ({
				id: 'e' + i,
				source: s,
				sourceHandle: h,
				target: t,
				targetHandle: 'target',
				type: 'custom',
				data: { sourceType: 'a', targetType: 'b', isInIteration: false },
			})),
			viewport: { x: 0, y: 0, zoom: 1 },
		},
	},
});
const start = createNode('start', {
	type: 'start',
	variables: [{ variable: 'q', label: 'Q', type: 'paragraph', required: true, hint: 'h', placeholder: 'p', unit: '' }],
});
const createEndNode = (sel: readonly string[]) =>
	createNode('end', { type: 'end', outputs: [{ variable: 'o', value_selector: sel, value_type: 'string' }] });
const model = {
	provider: 'langgenius/openai/openai',
	name: 'gpt',
	model: 'gpt',
	mode: 'chat',
	model_type: 'llm',
	completion_params: { temperature: 0.1, seed: 1 },
};
const tool = {
	enabled: true,
	type: 'builtin',
	provider_name: 'time',
	provider_show_name: 'time',
	tool_name: 'current_time',
	tool_label: 'T',
	tool_description: 'd',
	extra: { description: 'x' },
	settings: { timezone: { value: { type: 'constant', value: 'UTC' } } },
	parameters: { format: { auto: 1, value: null }, z: { auto: 0, value: { type: 'mixed', value: '{{#start.q#}}' } } },
	schemas: [{ name: 'format', type: 'string', form: 'llm', human_description: { en_US: '' } }],
	credential_id: 'abc',
};
const agents = {
	agent_1: {
		schema_version: '1',
		metadata: { name: 'c', description: '', icon: 'x' },
		soul: {
			prompt: { system_prompt: 's' },
			model: { plugin_id: 'p', model_provider: 'openai', model: 'gpt', model_settings: { temperature: 1 } },
			tools: { dify_tools: [{ provider: 'time', name: 'current_time', enabled: true }], cli_tools: [] },
			knowledge: {},
			human: {},
			env: {},
			sandbox: {},
			memory: {},
			app_features: {},
			app_variables: [],
		},
		omitted_assets: [],
	},
};
const files: Record<string, object> = {
	agentV1: createWorkflow(
		[
			start,
			createNode('a', {
				type: 'agent',
				agent_strategy_provider_name: 'langgenius/agent/agent',
				agent_strategy_name: 'function_calling',
				agent_strategy_label: 'FunctionCalling',
				plugin_unique_identifier: 'x',
				output_schema: null,
				tool_node_version: '2',
				agent_parameters: {
					model: { type: 'constant', value: model },
					tools: { type: 'constant', value: [tool] },
					instruction: { type: 'constant', value: 'be' },
					query: { type: 'constant', value: '{{#start.q#}}' },
					maximum_iterations: { type: 'constant', value: 3 },
					context: { type: 'variable', value: ['start', 'q'] },
				},
				memory: {
					role_prefix: { user: '', assistant: '' },
					window: { enabled: false, size: 10 },
					query_prompt_template: '{{#sys.query#}}',
				},
				retry_config: { retry_enabled: true, max_retries: 3, retry_interval: 100 },
				error_strategy: 'fail-branch',
			}),
			createEndNode(['a', 'text']),
		],
		[
			['start', 'a'],
			['a', 'end', 'success-branch'],
		],
	),
	agentV2: createWorkflow(
		[
			start,
			createNode('a', {
				type: 'agent',
				version: '2',
				agent_node_kind: 'dify_agent',
				agent_binding: { binding_type: 'package', package_ref: 'agent_1' },
				agent_job: {
					mode: 'default',
					workflow_prompt: 'Do {{#start.q#}}',
					previous_node_output_refs: [{ selector: ['start', 'q'] }],
					declared_outputs: [
						{
							name: 'n',
							type: 'array',
							description: 'd',
							required: true,
							array_item: { type: 'string' },
							file: { extensions: ['pdf'] },
							failure_strategy: { retry: { enabled: true, max_retries: 2 }, on_failure: 'default_value', default_value: [] },
						},
					],
				},
			}),
			createEndNode(['a', 'n']),
		],
		[
			['start', 'a'],
			['a', 'end'],
		],
		{ top: { agent_packages: agents } },
	),
	knowledge: createWorkflow(
		[
			start,
			createNode('k', {
				type: 'knowledge-retrieval',
				query_variable_selector: ['start', 'q'],
				query_attachment_selector: [],
				dataset_ids: ['d1'],
				retrieval_mode: 'multiple',
				single_retrieval_config: { model },
				multiple_retrieval_config: {
					top_k: 4,
					score_threshold: 0.5,
					score_threshold_enabled: true,
					reranking_enable: true,
					reranking_mode: 'weighted_score',
					reranking_model: { provider: 'p', model: 'm' },
					weights: {
						weight_type: 'customized',
						vector_setting: { vector_weight: 0.7, embedding_provider_name: 'p', embedding_model_name: 'm' },
						keyword_setting: { keyword_weight: 0.3 },
					},
				},
				metadata_filtering_mode: 'manual',
				metadata_model_config: model,
				metadata_filtering_conditions: {
					logical_operator: 'and',
					conditions: [{ id: '1', name: 'owner', comparison_operator: 'contains', value: 'x', metadata_id: 'z' }],
				},
				vision: { enabled: true, configs: { variable_selector: ['sys', 'files'] } },
			}),
			createEndNode(['k', 'result']),
		],
		[
			['start', 'k'],
			['k', 'end'],
		],
	),
	form: createWorkflow(
		[
			start,
			createNode('f', {
				type: 'human-input',
				form_content: '{{#start.q#}} {{#$output.note#}}',
				inputs: [
					{ type: 'paragraph', output_variable_name: 'note', default: { type: 'variable', selector: ['start', 'q'], value: '' } },
					{ type: 'select', output_variable_name: 'c', option_source: { type: 'constant', selector: [], value: ['a', 'b'] } },
					{
						type: 'file',
						output_variable_name: 'p',
						allowed_file_types: ['document'],
						allowed_file_extensions: ['.x'],
						allowed_file_upload_methods: ['local_file'],
					},
					{ type: 'file-list', output_variable_name: 'ps', number_limits: 3, allowed_file_types: ['image'] },
				],
				user_actions: [
					{ id: 'ok', title: 'OK', button_style: 'primary' },
					{ id: 'no', title: 'No', button_style: 'ghost' },
				],
				timeout: 3,
				timeout_unit: 'day',
				delivery_methods: [
					{ id: '1', type: 'webapp', enabled: true, config: {} },
					{
						id: '2',
						type: 'email',
						enabled: true,
						config: {
							recipients: {
								whole_workspace: true,
								items: [
									{ type: 'member', user_id: 'x' },
									{ type: 'external', email: 'a@b.c' },
								],
							},
							subject: 's',
							body: 'b {{#url#}}',
							debug_mode: false,
						},
					},
				],
			}),
			createEndNode(['f', 'note']),
			createNode('end2', { type: 'end', outputs: [] }),
			createNode('end3', { type: 'end', outputs: [] }),
		],
		[
			['start', 'f'],
			['f', 'end', 'ok'],
			['f', 'end2', 'no'],
			['f', 'end3', '__timeout'],
		],
	),
	triggers: createWorkflow(
		[
			start,
			createNode('w', {
				type: 'trigger-webhook',
				method: 'POST',
				webhook_url: '',
				webhook_debug_url: '',
				content_type: 'application/json',
				headers: [{ name: 'X-A', type: 'string', required: true }],
				params: [{ name: 'p', type: 'string', required: false }],
				body: [{ name: 'b', type: 'object', required: true }],
				async_mode: true,
				status_code: 200,
				response_body: 'ok',
				timeout: 30,
				variables: [],
			}),
			createNode('s', {
				type: 'trigger-schedule',
				mode: 'visual',
				frequency: 'daily',
				visual_config: { on_minute: 0, time: '12:00 AM', weekdays: ['sun'], monthly_days: [1, 'last'] },
				cron_expression: '',
				timezone: 'UTC',
			}),
			createNode('p', {
				type: 'trigger-plugin',
				plugin_id: 'x',
				provider_id: 'x/y/z',
				provider_type: 'trigger',
				provider_name: 'z',
				event_name: 'issue',
				event_label: 'I',
				event_node_version: '1',
				event_parameters: { repo: { type: 'constant', value: 'r' } },
				config: {},
				plugin_unique_identifier: 'q',
				subscription_id: 's',
				output_schema: {},
			}),
			createEndNode(['start', 'q']),
		],
		[
			['start', 'end'],
			['w', 'end'],
			['s', 'end'],
			['p', 'end'],
		],
	),
	chatflow: createWorkflow(
		[createNode('start', { type: 'start', variables: [] }), createNode('a', { type: 'answer', answer: 'x', variables: [] })],
		[['start', 'a']],
		{
			features: {
				opening_statement: 'h',
				suggested_questions: ['a'],
				retriever_resource: { enabled: true },
				sensitive_word_avoidance: {
					enabled: true,
					type: 'keywords',
					configs: [],
					config: {
						keywords: 'x',
						inputs_config: { enabled: true, preset_response: 'n' },
						outputs_config: { enabled: false, preset_response: '' },
					},
				},
				speech_to_text: { enabled: false },
				text_to_speech: { enabled: false, language: '', voice: '' },
				suggested_questions_after_answer: { enabled: false },
				file_upload: { enabled: false, allowed_file_types: [], image: { enabled: false }, fileUploadConfig: {} },
			},
		},
		'advanced-chat',
	),
	portable: {
		version: '0.7.0',
		kind: 'app',
		app: { name: 'n', mode: 'agent', icon: 'x', description: '' },
		agent: { package_ref: 'agent_1' },
		agent_packages: agents,
	},
};
for (const mode of ['chat', 'completion', 'agent-chat'])
	files[`model_config, ${mode}`] = {
		version: '0.6.0',
		kind: 'app',
		app: { name: 'n', mode, icon: 'x', description: '' },
		model_config: {
			model: { provider: 'p', name: 'gpt', mode: 'chat', completion_params: { temperature: 1, stop: [] } },
			prompt_type: 'simple',
			pre_prompt: 'a {{x}}',
			chat_prompt_config: { prompt: [{ role: 'system', text: 's' }] },
			completion_prompt_config: { prompt: { text: 't' }, conversation_histories_role: { user_prefix: 'U', assistant_prefix: 'A' } },
			user_input_form: [
				{ 'text-input': { variable: 'x', label: 'X', required: true, max_length: 48, default: '' } },
				{ paragraph: { variable: 'y', label: 'Y', required: false } },
				{ number: { variable: 'n', label: 'N', required: false } },
				{ select: { variable: 's', label: 'S', required: false, options: ['a'] } },
				{ checkbox: { variable: 'c', label: 'C' } },
				{ external_data_tool: { variable: 'e', label: 'E', type: 'api', enabled: true, icon: '', config: {} } },
			],
			external_data_tools: [{ enabled: true, variable: 'v', type: 'api', label: 'l', icon: '', icon_background: '', config: {} }],
			opening_statement: 'o',
			suggested_questions: ['q'],
			suggested_questions_after_answer: { enabled: false },
			speech_to_text: { enabled: false },
			text_to_speech: { enabled: false, language: '', voice: '' },
			more_like_this: { enabled: false },
			annotation_reply: { enabled: false },
			retriever_resource: { enabled: true },
			sensitive_word_avoidance: {
				enabled: false,
				type: '',
				configs: [],
				config: {
					keywords: '',
					inputs_config: { enabled: false, preset_response: '' },
					outputs_config: { enabled: false, preset_response: '' },
				},
			},
			file_upload: {
				enabled: true,
				image: { enabled: true, number_limits: 3, detail: 'high', transfer_methods: ['remote_url'] },
				allowed_file_types: ['image'],
				allowed_file_extensions: [],
				allowed_file_upload_methods: ['local_file'],
				number_limits: 3,
			},
			dataset_configs: {
				retrieval_model: 'multiple',
				datasets: { datasets: [{ dataset: { enabled: true, id: 'd' } }] },
				top_k: 4,
				score_threshold: 0.5,
				score_threshold_enabled: true,
				reranking_enable: false,
				reranking_mode: 'reranking_model',
				reranking_model: { reranking_provider_name: 'p', reranking_model_name: 'm' },
				weights: {
					vector_setting: { vector_weight: 0.5, embedding_provider_name: '', embedding_model_name: '' },
					keyword_setting: { keyword_weight: 0.5 },
				},
				metadata_filtering_mode: 'disabled',
				metadata_filtering_conditions: null,
				metadata_model_config: null,
			},
			dataset_query_variable: '',
			agent_mode: {
				enabled: mode === 'agent-chat',
				strategy: 'function_call',
				max_iteration: 5,
				tools: [
					{
						enabled: true,
						provider_type: 'builtin',
						provider_id: 'time',
						provider_name: 'time',
						tool_name: 'current_time',
						tool_label: 't',
						tool_parameters: {},
						isDeleted: false,
						notAuthor: false,
					},
				],
				prompt: null,
			},
		},
	};

describe('files as the hosted service exports them', () => {
	for (const [name, file] of Object.entries(files)) {
		it(`can be loaded and have no problems: ${name}`, () => {
			const text = stringify(file, { version: '1.1' });
			assert.doesNotThrow(() => loadAgent(text, 'agent.yml'));
			assert.deepEqual(findAgentFaults(new AgentReading(text), schema, english), []);
		});
	}

	it('have hovers on the fields that the engine reads', () => {
		const named: Readonly<Record<string, readonly string[]>> = {
			agentV1: ['agent_strategy_name', 'agent_parameters', 'memory'],
			agentV2: [
				'agent_packages',
				'agent_1',
				'schema_version',
				'metadata',
				'soul',
				'system_prompt',
				'model_provider',
				'model_settings',
				'dify_tools',
				'provider',
				'cli_tools',
				'sandbox',
				'omitted_assets',
				'agent_node_kind',
				'agent_binding',
				'package_ref',
				'agent_job',
				'workflow_prompt',
				'declared_outputs',
				'on_failure',
			],
			knowledge: ['dataset_ids', 'query_variable_selector', 'top_k', 'score_threshold', 'metadata_filtering_mode', 'comparison_operator'],
			form: [
				'form_content',
				'output_variable_name',
				'option_source',
				'user_actions',
				'button_style',
				'timeout_unit',
				'delivery_methods',
				'number_limits',
				'recipients',
				'whole_workspace',
				'user_id',
				'subject',
			],
			triggers: ['content_type', 'status_code', 'cron_expression', 'event_parameters', 'required', 'on_minute', 'monthly_days'],
			portable: ['agent', 'package_ref', 'agent_packages'],
			'model_config, agent-chat': [
				'pre_prompt',
				'user_input_form',
				'opening_statement',
				'keywords',
				'dataset_configs',
				'max_iteration',
				'tool_name',
			],
		};
		for (const [name, fields] of Object.entries(named)) {
			const text = stringify(files[name], { version: '1.1' });
			for (const field of fields) {
				const at = new RegExp(`^[ -]*${field}:`, 'm').exec(text);
				const offset = (at?.index ?? 0) + (at?.[0].indexOf(field) ?? 0);
				assert.ok(findAgentHover(new AgentReading(text), offset + 1, schema, english)?.lines.length, `${name}: ${field}`);
			}
		}
	});
});
