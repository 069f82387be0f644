import { fieldOf } from '#base/records/plainValues.ts';
import { modelFact } from './cards/cardFacts.ts';
import type { NodeKind } from './nodeKind.ts';
import { inputWords, modelWords, selector } from './words/fieldWords.ts';
import { type KindWords, under } from './words/word.ts';

/** Asks a model. */
export const llm: NodeKind = {
	type: 'llm',
	icon: 'sparkle',
	snippet: {
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
	outputs: ['text:string', 'reasoning_content:string', 'usage:object', 'finish_reason:string', 'files:array[file]'],
	moreOutputs: data => (fieldOf(data, 'structured_output_enabled') === true ? [{ name: 'structured_output', type: 'object' }] : []),
	failsWithout: 'prompts',
	facts: modelFact,
	written: 'prompts',
};

export const schemaWords = (): KindWords => ({
	llm: {
		text: 'Asks a model; its text is streamed.',
		fields: {
			...modelWords(),
			prompt_template: { text: 'The messages to the model, or one prompt.', form: 'messages' },
			'prompt_template[]': 'A message to the model.',
			...Object.fromEntries(
				['prompt_template', 'prompt_template[]'].flatMap(path =>
					Object.entries({
						role: 'Who says it.',
						text: { text: 'The text; may hold {{#node.variable#}} and {{#context#}}.', form: 'text' as const },
						edition_type: { text: 'How the text is written.', examples: ['basic', 'jinja2'] },
						jinja2_text: { text: 'The text as a Jinja template, where “edition_type” is “jinja2”.', form: 'jinja' as const },
						id: { text: 'ID of the message.', field: {}, form: 'kept' as const },
					}).map(([name, word]) => [`${path}.${name}`, word]),
				),
			),
			prompt_config: { text: 'What Jinja templates are filled with.', rare: true },
			'prompt_config.jinja2_variables': 'The values.',
			'prompt_config.jinja2_variables[]': 'A value.',
			...under('prompt_config.jinja2_variables[]', inputWords()),
			context: 'Text that takes the place of {{#context#}}.',
			'context.enabled': 'Whether there is any.',
			'context.variable_selector': selector('The text', 'string', 'array'),
			structured_output_enabled: { text: 'Whether the model has to reply with an object of the schema.', rare: true },
			structured_output_switch_on: { text: 'The same, as newer files write it.', rare: true },
			structured_output: { text: 'The object that the model has to reply with.', rare: true },
			'structured_output.schema': 'JSON schema of the object.',
			reasoning_format: {
				text: '“tagged” leaves the model’s thinking in the text, “separated” moves it to reasoning_content.',
				rare: true,
			},
		},
	},
});
