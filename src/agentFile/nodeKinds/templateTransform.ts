import { getFieldText } from '#base/records/plainValues.ts';
import { createFact, getFirstLine } from './cards/cardFacts.ts';
import { describeInput } from './labels/fieldLabels.ts';
import { type KindLabels, prefixPaths } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Renders a Jinja template. */
export const templateTransform: NodeKind = {
	type: 'template-transform',
	icon: 'symbol-snippet',
	snippet: {
		title: 'Template',
		data: ['template: "${3:{{ text \\}\\}}"', 'variables:', '  - { variable: ${4:text}, value_selector: [${5:¶}] }'],
	},
	outputs: ['output:string'],
	createFacts: data => createFact(getFirstLine(getFieldText(data, 'template'))),
	written: 'template',
};

export const describeKind = (): KindLabels => ({
	'template-transform': {
		text: 'Renders a Jinja template.',
		fields: {
			template: { text: 'The template. Supports {{ name }}, {% for %}, {% if %} and filters.', form: 'jinja' },
			variables: 'Variables of the template.',
			'variables[]': 'A variable of the template.',
			...prefixPaths('variables[]', describeInput()),
		},
	},
});
