import { textOf } from '#base/records/plainValues.ts';
import { fact, firstLine } from './cards/cardFacts.ts';
import type { NodeKind } from './nodeKind.ts';
import { inputWords } from './words/fieldWords.ts';
import { type KindWords, under } from './words/word.ts';

/** Renders a Jinja template. */
export const templateTransform: NodeKind = {
	type: 'template-transform',
	icon: 'symbol-snippet',
	snippet: {
		title: 'Template',
		data: ['template: "${3:{{ text \\}\\}}"', 'variables:', '  - { variable: ${4:text}, value_selector: [${5:¶}] }'],
	},
	outputs: ['output:string'],
	facts: data => fact(firstLine(textOf(data, 'template'))),
	written: 'template',
};

export const describeKind = (): KindWords => ({
	'template-transform': {
		text: 'Renders a Jinja template.',
		fields: {
			template: { text: 'The template. Supports {{ name }}, {% for %}, {% if %} and filters.', form: 'jinja' },
			variables: 'Variables of the template.',
			'variables[]': 'A variable of the template.',
			...under('variables[]', inputWords()),
		},
	},
});
