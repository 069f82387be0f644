import { getField, getFieldText, getItems } from '#base/records/plainValues.ts';
import { createModelFact } from './cards/cardFacts.ts';
import { describeModel, describeSelector } from './labels/fieldLabels.ts';
import type { KindLabels } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Lets a model classify text and continues on the branch of the matching class. */
export const questionClassifier: NodeKind = {
	type: 'question-classifier',
	icon: 'list-tree',
	shape: 'hexagon',
	snippet: {
		title: 'Question Classifier',
		data: [
			'model: { provider: ${3:langgenius/openai/openai}, name: ${4:¤}, mode: chat, completion_params: {} }',
			'query_variable_selector: [${5:¶}]',
			'instruction: ""',
			'classes:',
			'  - { id: "1", name: ${6:A question} }',
			'  - { id: "2", name: ${7:Anything else} }',
		],
	},
	outputs: ['class_name:string', 'class_id:string', 'class_label:string', 'usage:object'],
	branches: {
		list: 'classes',
		id: 'id',
		title: 'name',
		output: 'class_id',
		guessHandle: (outputs, _, data) => {
			const chosen = getItems(data, 'classes').find(each => getField(each, 'name') === outputs['class_name']);
			return chosen === undefined ? undefined : getFieldText(chosen, 'id');
		},
	},
	createFacts: createModelFact,
};

export const describeKind = (): KindLabels => ({
	'question-classifier': {
		text: 'Uses a model to classify text, then continues on the branch of the matching class.',
		fields: {
			...describeModel(),
			query_variable_selector: describeSelector('Text to classify', 'string'),
			classes: { text: "Classes. If the model's reply names none of them, the first one is used.", form: 'classes' },
			'classes[]': 'A class that the model can choose.',
			'classes[].id': { text: 'ID of the class, used as the sourceHandle of its edges.', form: 'kept' },
			'classes[].name': { text: 'Description of the class for the model.', form: 'text' },
			'classes[].label': 'Display name of the class.',
			instruction: { text: 'Additional instructions for the model.', form: 'text' },
			instructions: { text: 'Additional instructions for the model. Used in older files.', form: 'text', rare: true },
		},
	},
});
