import { fieldOf, fieldsOf, textOf } from '#base/records/plainValues.ts';
import { fact } from './cards/cardFacts.ts';
import type { NodeKind } from './nodeKind.ts';
import { inputWords, valueTypes } from './words/fieldWords.ts';
import { type KindWords, under } from './words/word.ts';

/** Runs a program of the file. */
export const code: NodeKind = {
	type: 'code',
	icon: 'code',
	snippet: {
		title: 'Compute',
		data: [
			'code_language: javascript',
			'code: |',
			'  function main({ ${3:text} }) {',
			'    return { ${4:result}: ${5:String(text).length} };',
			'  }',
			'variables:',
			'  - { variable: ${3:text}, value_selector: [${6:¶}] }',
			'outputs:',
			'  ${4:result}: { type: ${7:number} }',
		],
	},
	declares: { at: ['outputs'], type: 'type' },
	facts: data => fact(Object.keys(fieldsOf(fieldOf(data, 'outputs'))).join(', '), textOf(data, 'code_language')),
	written: 'program',
};

export const schemaWords = (): KindWords => ({
	code: {
		text: 'Runs a program of yours: its function main gets the variables and gives the outputs.',
		fields: {
			code_language: { text: 'Language of the program. Python has to be switched on in the gateway.', known: ['javascript', 'python3'] },
			code: { text: 'The program. JavaScript: function main({ a, b }) { return { … } }.', form: 'code' },
			variables: 'What main gets.',
			'variables[]': 'A value that main gets.',
			...under('variables[]', inputWords()),
			outputs: 'What main gives: a name and a type each.',
			'outputs.*': 'An output of main.',
			'outputs.*.type': { text: 'Type of the output.', known: valueTypes.filter(type => !/file|any/.test(type)) },
			'outputs.*.children': 'Outputs inside an object.',
		},
	},
});
