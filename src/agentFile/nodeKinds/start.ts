import { createInputFacts } from './cards/cardFacts.ts';
import { describeStart } from './labels/fieldLabels.ts';
import type { KindLabels } from './labels/label.ts';
import { inputVariables, type NodeKind } from './nodeKind.ts';

/** Starts the agent with its inputs. */
export const start: NodeKind = {
	type: 'start',
	icon: 'home',
	role: 'start',
	inside: 'top',
	shape: 'stadium',
	snippet: { title: 'Start', data: ['variables:', '  - { variable: ${3:text}, label: ${4:Text}, type: ${5:paragraph}, required: true }'] },
	listed: ['variables'],
	declares: inputVariables,
	createFacts: createInputFacts,
};

export const describeKind = (): KindLabels => ({
	start: { text: 'Starts the agent with its inputs.', fields: describeStart() },
});
