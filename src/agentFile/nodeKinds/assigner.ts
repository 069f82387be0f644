import { fieldOf, itemsOf, textOf } from '#base/records/plainValues.ts';
import { fact } from './cards/cardFacts.ts';
import type { NodeKind } from './nodeKind.ts';
import { selector } from './words/fieldWords.ts';
import type { KindWords } from './words/word.ts';

/** Changes variables of the conversation or of the loop around it. */
export const assigner: NodeKind = {
	type: 'assigner',
	icon: 'symbol-variable',
	snippet: {
		title: 'Remember',
		data: [
			'version: "2"',
			'items:',
			'  - { variable_selector: [conversation, ${3:name}], input_type: variable, operation: over-write, value: [${4:¶}] }',
		],
	},
	facts: (data, nameOf) =>
		itemsOf(data, 'items').flatMap(each => fact(nameOf(fieldOf(each, 'variable_selector')), textOf(each, 'operation'))),
};

export const schemaWords = (): KindWords => ({
	assigner: {
		text: 'Changes variables of the conversation or of the loop around.',
		fields: {
			version: { text: 'Form of the node: "2" has “items”.', examples: ['"2"'], form: 'kept' },
			items: 'The changes, one after the other.',
			'items[]': 'A change.',
			'items[].variable_selector': selector('The variable that is changed'),
			'items[].input_type': 'Whether the input is written here or taken from a variable.',
			'items[].operation': { text: 'What is done to the variable.', known: 'operations' },
			'items[].value': { text: 'The input, or [node ID, variable].', refers: 'variable' },
			assigned_variable_selector: { ...selector('In old files: the variable that is changed'), rare: true },
			write_mode: { text: 'In old files: what is done to the variable.', known: 'operations', rare: true },
			input_variable_selector: { ...selector('In old files: the input'), rare: true },
		},
	},
});
