import { getField, getFieldText, getItems } from '#base/records/plainValues.ts';
import { createFact } from './cards/cardFacts.ts';
import { describeSelector, valueTypes } from './labels/fieldLabels.ts';
import type { KindLabels, Labels } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Old name of {@link variableAggregator}. */
export const variableAssigner: NodeKind = {
	type: 'variable-assigner',
	icon: 'combine',
	declares: { at: ['advanced_settings', 'groups'], name: 'group_name' },
	listMoreOutputs: data => {
		const settings = getField(data, 'advanced_settings');
		return getField(settings, 'group_enabled') === true
			? getItems(settings, 'groups').map(each => ({ name: getFieldText(each, 'group_name'), type: 'object' }))
			: [{ name: 'output', type: getFieldText(data, 'output_type') }];
	},
};

/** Outputs the first existing value of several variables. */
export const variableAggregator: NodeKind = {
	...variableAssigner,
	type: 'variable-aggregator',
	snippet: { title: 'Variable Aggregator', data: ['output_type: ${3:string}', 'variables:', '  - [${4:¶}]'] },
	listed: ['variables'],
	createFacts: (data, nameOf) => getItems(data, 'variables').flatMap(each => createFact(nameOf(each))),
};

const describeAggregator = (): Labels => ({
	variables: 'Candidate values. The first one that exists becomes the output.',
	'variables[]': describeSelector('A value'),
	output_type: { text: 'Type of the output.', field: {}, examples: valueTypes },
	advanced_settings: { text: 'Groups of values, each with a separate output.', rare: true },
	'advanced_settings.group_enabled': 'Whether to use groups.',
	'advanced_settings.groups': 'Groups, each with a list of values.',
	'advanced_settings.groups[]': 'A group. It outputs its first value that exists.',
	'advanced_settings.groups[].group_name': 'Name of the output.',
	'advanced_settings.groups[].variables': 'Values of the group.',
	'advanced_settings.groups[].variables[]': describeSelector('A value'),
	'advanced_settings.groups[].output_type': { text: 'Type of the output.', field: {}, examples: valueTypes },
});

export const describeKind = (): KindLabels => ({
	'variable-aggregator': { text: 'Merges branches: outputs the first of its values that exists.', fields: describeAggregator() },
	'variable-assigner': { text: 'Older name of the variable aggregator, which merges branches.', fields: describeAggregator() },
});
