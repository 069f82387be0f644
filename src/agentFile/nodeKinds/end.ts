import { createNamedFacts } from './cards/cardFacts.ts';
import { describeInput } from './labels/fieldLabels.ts';
import { type KindLabels, prefixPaths } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Ends a branch of a workflow with outputs of the run. */
export const end: NodeKind = {
	type: 'end',
	icon: 'flag',
	role: 'end',
	inside: 'top',
	shape: 'stadium',
	snippet: { title: 'Output', data: ['outputs:', '  - { variable: ${3:result}, value_selector: [${4:¶}] }'] },
	listed: ['outputs'],
	createFacts: data => createNamedFacts(data, 'outputs', 'variable'),
};

export const describeKind = (): KindLabels => ({
	end: {
		text: 'Ends a branch of a workflow and sets the outputs of the run.',
		fields: {
			outputs: 'Outputs of the run.',
			'outputs[]': 'An output of the run.',
			...prefixPaths('outputs[]', { ...describeInput(), variable: 'Name of the output.' }),
		},
	},
});
