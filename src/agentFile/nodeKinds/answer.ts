import { getFieldText } from '#base/records/plainValues.ts';
import { createFact, getFirstLine } from './cards/cardFacts.ts';
import type { KindLabels } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Adds text to the chat reply. */
export const answer: NodeKind = {
	type: 'answer',
	icon: 'comment',
	shape: 'stadium',
	snippet: { title: 'Answer', data: ['answer: "{{#${3:¶.}#}}"'] },
	outputs: ['answer:string', 'files:array[file]'],
	createFacts: data => createFact(getFirstLine(getFieldText(data, 'answer'))),
};

export const describeKind = (): KindLabels => ({
	answer: {
		text: 'Adds text to the chat reply.',
		fields: { answer: { text: 'The text. Can contain {{#node.variable#}}.', form: 'text' } },
	},
});
