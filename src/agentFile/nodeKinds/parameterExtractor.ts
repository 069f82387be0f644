import { modelFact, namedFacts } from './cards/cardFacts.ts';
import type { NodeKind } from './nodeKind.ts';
import { modelWords, selector } from './words/fieldWords.ts';
import type { KindWords } from './words/word.ts';

/** Asks a model for values in a text. */
export const parameterExtractor: NodeKind = {
	type: 'parameter-extractor',
	icon: 'symbol-parameter',
	snippet: {
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
	outputs: ['__is_success:number', '__reason:string', '__usage:object'],
	listed: ['parameters'],
	declares: { at: ['parameters'], name: 'name', type: 'type', description: 'description' },
	facts: data => [...modelFact(data), ...namedFacts(data, 'parameters', 'name')],
};

export const schemaWords = (): KindWords => ({
	'parameter-extractor': {
		text: 'Asks a model for values in a text.',
		fields: {
			...modelWords(),
			query: selector('The text', 'string'),
			parameters: 'The values that are looked for.',
			'parameters[]': 'A value that is looked for.',
			'parameters[].name': 'Name of the output.',
			'parameters[].type': {
				text: 'Type of the value.',
				examples: ['string', 'number', 'boolean', 'select', 'array[string]', 'array[number]', 'array[object]'],
			},
			'parameters[].options': 'Values to choose from, for “select”.',
			'parameters[].description': 'What the value is, for the model.',
			'parameters[].required': 'Whether the text has to say it.',
			instruction: { text: 'More for the model to go by.', form: 'text' },
			reasoning_mode: { text: 'How the model is asked.', examples: ['function_call', 'prompt'], rare: true },
		},
	},
});
