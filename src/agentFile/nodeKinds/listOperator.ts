import { fieldOf } from '#base/records/plainValues.ts';
import { fact } from './cards/cardFacts.ts';
import type { NodeKind } from './nodeKind.ts';
import { operator, selector } from './words/fieldWords.ts';
import type { KindWords } from './words/word.ts';

/** Filters, picks from, orders and shortens a list. */
export const listOperator: NodeKind = {
	type: 'list-operator',
	icon: 'filter',
	snippet: {
		title: 'Pick from',
		data: [
			'variable: [${3:¶}]',
			'filter_by: { enabled: false, conditions: [] }',
			'order_by: { enabled: false, key: "", value: asc }',
			'limit: { enabled: true, size: ${4:10} }',
		],
	},
	outputs: ['result:array', 'first_record:', 'last_record:'],
	failsWithout: 'values',
	facts: (data, nameOf) => fact(nameOf(fieldOf(data, 'variable'))),
};

export const schemaWords = (): KindWords => ({
	'list-operator': {
		text: 'Filters, picks from, orders and shortens a list, in this order.',
		fields: {
			variable: selector('The list', 'array'),
			filter_by: 'Keeps what fits.',
			'filter_by.enabled': 'Whether it is done.',
			'filter_by.conditions': 'What has to hold of each item.',
			'filter_by.conditions[]': 'A condition on an item.',
			'filter_by.conditions[].key': 'What of a file is compared; empty for other items.',
			'filter_by.conditions[].comparison_operator': operator,
			'filter_by.conditions[].value': 'What it is compared with.',
			extract_by: 'Picks one item.',
			'extract_by.enabled': 'Whether it is done.',
			'extract_by.serial': 'Which one, counted from 1.',
			order_by: 'Orders the list.',
			'order_by.enabled': 'Whether it is done.',
			'order_by.key': 'What of a file it goes by.',
			'order_by.value': 'Which way.',
			limit: 'Keeps the first items.',
			'limit.enabled': 'Whether it is done.',
			'limit.size': 'How many.',
		},
	},
});
