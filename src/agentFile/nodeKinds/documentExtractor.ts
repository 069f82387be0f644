import { fieldOf } from '#base/records/plainValues.ts';
import { fact } from './cards/cardFacts.ts';
import type { NodeKind } from './nodeKind.ts';
import { selector } from './words/fieldWords.ts';
import type { KindWords } from './words/word.ts';

/** Reads the text of files. */
export const documentExtractor: NodeKind = {
	type: 'document-extractor',
	icon: 'file-text',
	snippet: { title: 'Read', data: ['variable_selector: [${3:¶}]', 'is_array_file: ${4:false}'] },
	moreOutputs: data => [{ name: 'text', type: fieldOf(data, 'is_array_file') === true ? 'array[string]' : 'string' }],
	failsWithout: 'values',
	facts: (data, nameOf) => fact(nameOf(fieldOf(data, 'variable_selector'))),
};

export const schemaWords = (): KindWords => ({
	'document-extractor': {
		text: 'Reads the text out of a file, or of each of a list of files.',
		fields: {
			variable_selector: selector('The file or the list', 'file', 'array[file]'),
			is_array_file: { text: 'Whether it is a list.', field: {}, examples: ['true', 'false'] },
		},
	},
});
