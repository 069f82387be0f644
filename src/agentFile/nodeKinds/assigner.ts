import { getField, getFieldText, getItems } from '#base/records/plainValues.ts';
import { createFact } from './cards/cardFacts.ts';
import { describeSelector } from './labels/fieldLabels.ts';
import type { KindLabels } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Changes conversation variables or variables of the surrounding loop. */
export const assigner: NodeKind = {
	type: 'assigner',
	icon: 'symbol-variable',
	snippet: {
		title: 'Variable Assigner',
		data: [
			'version: "2"',
			'items:',
			'  - { variable_selector: [conversation, ${3:name}], input_type: variable, operation: over-write, value: [${4:¶}] }',
		],
	},
	createFacts: (data, nameOf) =>
		getItems(data, 'items').flatMap(each => createFact(nameOf(getField(each, 'variable_selector')), getFieldText(each, 'operation'))),
};

export const describeKind = (): KindLabels => ({
	assigner: {
		text: 'Changes conversation variables or variables of the surrounding loop.',
		fields: {
			version: { text: "Version of the node. Nodes of version '2' use 'items'.", examples: ['"2"'], form: 'kept' },
			items: 'Changes to apply in order.',
			'items[]': 'A change to a variable.',
			'items[].variable_selector': describeSelector('Variable to change'),
			'items[].input_type': 'Whether the input is a constant or a variable.',
			'items[].operation': { text: 'Operation to apply to the variable.', known: 'operations' },
			'items[].value': { text: 'The input, or [node ID, variable].', refers: 'variable' },
			assigned_variable_selector: {
				...describeSelector('Variable to change'),
				text: 'Variable to change: [node ID, variable]. Used in older files.',
				rare: true,
			},
			write_mode: { text: 'Operation to apply to the variable. Used in older files.', known: 'operations', rare: true },
			input_variable_selector: { ...describeSelector('Input'), text: 'Input: [node ID, variable]. Used in older files.', rare: true },
		},
	},
});
