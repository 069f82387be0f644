import { getField } from '#base/records/plainValues.ts';
import { createModelFact } from './cards/cardFacts.ts';
import { describeInput, describeModel, describeSelector } from './labels/fieldLabels.ts';
import { type KindLabels, prefixPaths } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Calls a model. */
export const llm: NodeKind = {
	type: 'llm',
	icon: 'sparkle',
	snippet: {
		title: 'LLM',
		data: [
			'model: { provider: ${3:langgenius/openai/openai}, name: ${4:¤}, mode: chat, completion_params: { temperature: ${5:0.2} } }',
			'prompt_template:',
			'  - { role: system, text: "${6:Answer in one sentence.}" }',
			'  - { role: user, text: "{{#${7:¶.}#}}" }',
			'context: { enabled: false, variable_selector: [] }',
			'vision: { enabled: false }',
		],
	},
	outputs: ['text:string', 'reasoning_content:string', 'usage:object', 'finish_reason:string', 'files:array[file]'],
	listMoreOutputs: data => (getField(data, 'structured_output_enabled') === true ? [{ name: 'structured_output', type: 'object' }] : []),
	failsWithout: 'prompts',
	createFacts: createModelFact,
	written: 'prompts',
};

export const describeKind = (): KindLabels => ({
	llm: {
		text: 'Calls a model and streams its reply.',
		fields: {
			...describeModel(),
			prompt_template: { text: 'Messages for the model, or a single prompt.', form: 'messages' },
			'prompt_template[]': 'A message for the model.',
			...Object.fromEntries(
				['prompt_template', 'prompt_template[]'].flatMap(path =>
					Object.entries({
						role: 'Role of the message.',
						text: { text: 'The text. Can contain {{#node.variable#}} and {{#context#}}.', form: 'text' as const },
						edition_type: {
							text: "Whether the message is taken from 'text' ('basic') or from 'jinja2_text' ('jinja2').",
							examples: ['basic', 'jinja2'],
						},
						jinja2_text: { text: "The text as a Jinja template, if 'edition_type' is 'jinja2'.", form: 'jinja' as const },
						id: { text: 'ID of the message.', field: {}, form: 'kept' as const },
					}).map(([name, word]) => [`${path}.${name}`, word]),
				),
			),
			prompt_config: { text: 'Values for Jinja templates.', rare: true },
			'prompt_config.jinja2_variables': 'Values for Jinja templates.',
			'prompt_config.jinja2_variables[]': 'A value for Jinja templates.',
			...prefixPaths('prompt_config.jinja2_variables[]', describeInput()),
			context: 'Text to insert for {{#context#}}.',
			'context.enabled': 'Whether to insert the text.',
			'context.variable_selector': describeSelector('Text to insert', 'string', 'array'),
			structured_output_enabled: { text: 'Whether the model must reply with an object that matches the schema.', rare: true },
			structured_output_switch_on: {
				text: "Whether the model must reply with an object that matches the schema. Used in newer files instead of 'structured_output_enabled'.",
				rare: true,
			},
			structured_output: { text: 'Object that the model must reply with.', rare: true },
			'structured_output.schema': 'JSON schema of the object.',
			reasoning_format: {
				text: "'tagged' keeps the model's thinking in the text, 'separated' moves it to reasoning_content.",
				rare: true,
			},
		},
	},
});
