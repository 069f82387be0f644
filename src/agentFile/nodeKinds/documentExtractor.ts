import { getField } from '#base/records/plainValues.ts';
import { createFact } from './cards/cardFacts.ts';
import { describeSelector } from './labels/fieldLabels.ts';
import type { KindLabels } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Reads the text of files. */
export const documentExtractor: NodeKind = {
	type: 'document-extractor',
	icon: 'file-text',
	isForeign: true,
	snippet: { title: 'Doc Extractor', data: ['variable_selector: [${3:¶}]', 'is_array_file: ${4:false}'] },
	listMoreOutputs: data => [{ name: 'text', type: getField(data, 'is_array_file') === true ? 'array[string]' : 'string' }],
	failsWithout: 'values',
	createFacts: (data, nameOf) => createFact(nameOf(getField(data, 'variable_selector'))),
};

export const describeKind = (): KindLabels => ({
	'document-extractor': {
		text: 'Extracts the text of a file, or of each file in a list.',
		fields: {
			variable_selector: describeSelector('File or list of files', 'file', 'array[file]'),
			is_array_file: { text: 'Whether the input is a list.', field: {}, examples: ['true', 'false'] },
		},
	},
});
