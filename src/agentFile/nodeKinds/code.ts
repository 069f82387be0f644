import { getField, getFieldText, toFields } from '#base/records/plainValues.ts';
import { createFact } from './cards/cardFacts.ts';
import { describeInput, valueTypes } from './labels/fieldLabels.ts';
import { type KindLabels, prefixPaths } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Runs code from the file. */
export const code: NodeKind = {
	type: 'code',
	icon: 'code',
	hasSideEffects: data => getFieldText(data, 'code_language') === 'python3',
	snippet: {
		title: 'Code',
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
	createFacts: data => createFact(Object.keys(toFields(getField(data, 'outputs'))).join(', '), getFieldText(data, 'code_language')),
	written: 'program',
};

export const describeKind = (): KindLabels => ({
	code: {
		text: 'Runs your code. Its main function receives the variables and returns the outputs.',
		fields: {
			code_language: {
				text: "Programming language. Python requires the setting 'agentWorkbench.gateway.python'.",
				known: ['javascript', 'python3'],
			},
			code: { text: 'Code with a main function, for example function main({ a, b }) { return { … } } in JavaScript.', form: 'code' },
			variables: 'Inputs of the main function.',
			'variables[]': 'An input of the main function.',
			...prefixPaths('variables[]', describeInput()),
			outputs: 'Outputs of the main function, each with a name and a type.',
			'outputs.*': 'An output of the main function.',
			'outputs.*.type': { text: 'Type of the output.', known: valueTypes.filter(type => !/file|any/.test(type)) },
			'outputs.*.children': "Properties of the output, for 'object'.",
		},
	},
});
