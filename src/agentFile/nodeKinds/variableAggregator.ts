import { fieldOf, itemsOf, textOf } from '#base/records/plainValues.ts';
import { fact } from './cards/cardFacts.ts';
import type { NodeKind } from './nodeKind.ts';
import { selector, valueTypes } from './words/fieldWords.ts';
import type { KindWords, Words } from './words/word.ts';

/** Puts out the first of its values that exists, by the type's name in old files. */
export const variableAssigner: NodeKind = {
	type: 'variable-assigner',
	icon: 'combine',
	declares: { at: ['advanced_settings', 'groups'], name: 'group_name' },
	moreOutputs: data => {
		const settings = fieldOf(data, 'advanced_settings');
		return fieldOf(settings, 'group_enabled') === true
			? itemsOf(settings, 'groups').map(each => ({ name: textOf(each, 'group_name'), type: 'object' }))
			: [{ name: 'output', type: textOf(data, 'output_type') }];
	},
};

/** Puts out the first of its values that exists. */
export const variableAggregator: NodeKind = {
	...variableAssigner,
	type: 'variable-aggregator',
	snippet: { title: 'Bring together', data: ['output_type: ${3:string}', 'variables:', '  - [${4:¶}]'] },
	listed: ['variables'],
	facts: (data, nameOf) => itemsOf(data, 'variables').flatMap(each => fact(nameOf(each))),
};

const aggregatorWords = (): Words => ({
	variables: 'Values; the first that exists is put out.',
	'variables[]': selector('A value'),
	output_type: { text: 'Type of what is put out.', field: {}, examples: valueTypes },
	advanced_settings: { text: 'Several groups, each with an output of its own.', rare: true },
	'advanced_settings.group_enabled': 'Whether the groups are used.',
	'advanced_settings.groups': 'The groups.',
	'advanced_settings.groups[]': 'A group: puts out its first value that exists.',
	'advanced_settings.groups[].group_name': 'Name of the output.',
	'advanced_settings.groups[].variables': 'Values of the group.',
	'advanced_settings.groups[].variables[]': selector('A value'),
	'advanced_settings.groups[].output_type': { text: 'Type of what is put out.', field: {}, examples: valueTypes },
});

export const schemaWords = (): KindWords => ({
	'variable-aggregator': { text: 'Puts out the first of its values that exists, where branches meet.', fields: aggregatorWords() },
	'variable-assigner': { text: 'The variable-aggregator, by its name in old files.', fields: aggregatorWords() },
});
