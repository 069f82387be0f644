import { createModelFact, createNamedFacts } from './cards/cardFacts.ts';
import { describeModel, describeSelector } from './labels/fieldLabels.ts';
import type { KindLabels } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Lets a model extract values from a text. */
export const parameterExtractor: NodeKind = {
	type: 'parameter-extractor',
	icon: 'symbol-parameter',
	snippet: {
		title: 'Parameter Extractor',
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
	createFacts: data => [...createModelFact(data), ...createNamedFacts(data, 'parameters', 'name')],
};

export const describeKind = (): KindLabels => ({
	'parameter-extractor': {
		text: 'Uses a model to extract values from a text.',
		fields: {
			...describeModel(),
			query: describeSelector('Text to extract values from', 'string'),
			parameters: 'Values to extract.',
			'parameters[]': 'A value to extract.',
			'parameters[].name': 'Name of the output.',
			'parameters[].type': {
				text: 'Type of the value.',
				examples: ['string', 'number', 'boolean', 'select', 'array[string]', 'array[number]', 'array[object]'],
			},
			'parameters[].options': "Options to choose from, for 'select'.",
			'parameters[].description': 'Description of the value for the model.',
			'parameters[].required': 'Whether the value is required.',
			instruction: { text: 'Additional instructions for the model.', form: 'text' },
			reasoning_mode: { text: 'How to call the model.', examples: ['function_call', 'prompt'], rare: true },
		},
	},
});
