import { getField } from '#base/records/plainValues.ts';
import { createFact } from './cards/cardFacts.ts';
import { describeSelector, operator } from './labels/fieldLabels.ts';
import type { KindLabels } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Filters, sorts and limits a list, or selects an item. */
export const listOperator: NodeKind = {
	type: 'list-operator',
	icon: 'filter',
	snippet: {
		title: 'List Operator',
		data: [
			'variable: [${3:¶}]',
			'filter_by: { enabled: false, conditions: [] }',
			'order_by: { enabled: false, key: "", value: asc }',
			'limit: { enabled: true, size: ${4:10} }',
		],
	},
	outputs: ['result:array', 'first_record:', 'last_record:'],
	failsWithout: 'values',
	createFacts: (data, nameOf) => createFact(nameOf(getField(data, 'variable'))),
};

export const describeKind = (): KindLabels => ({
	'list-operator': {
		text: 'Filters a list, then selects an item, sorts the list and limits its length.',
		fields: {
			variable: describeSelector('List to process', 'array'),
			filter_by: 'Which items to keep.',
			'filter_by.enabled': 'Whether to apply this step.',
			'filter_by.conditions': 'Conditions on each item.',
			'filter_by.conditions[]': 'A condition on an item.',
			'filter_by.conditions[].key': "Property of the file to compare. Leave empty if the items aren't files.",
			'filter_by.conditions[].comparison_operator': operator,
			'filter_by.conditions[].value': 'Value to compare with.',
			extract_by: 'Selects one item.',
			'extract_by.enabled': 'Whether to apply this step.',
			'extract_by.serial': 'Position of the item, starting at 1.',
			order_by: 'Sorts the list.',
			'order_by.enabled': 'Whether to apply this step.',
			'order_by.key': 'Property of a file to sort by.',
			'order_by.value': 'Sort order.',
			limit: 'Keeps only the first items.',
			'limit.enabled': 'Whether to apply this step.',
			'limit.size': 'Number of items to keep.',
		},
	},
});
