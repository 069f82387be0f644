import { parameterWords } from './parameterWords.ts';
import { under, type Words } from './word.ts';

/** Types of values, as the format names them. */
export const valueTypes = [
	'string',
	'number',
	'boolean',
	'object',
	'file',
	'array[string]',
	'array[number]',
	'array[boolean]',
	'array[object]',
	'array[file]',
	'array[any]',
];

/**
 * A selector.
 * @param takes types of the variables that can stand there; any where none is named
 */
export const selector = (text: string, ...takes: readonly string[]) => ({
	text: `${text}: [node ID, variable].`,
	refers: 'variable' as const,
	...(takes.length > 0 && { takes }),
});
export const operator = { text: 'How the two are compared.', known: 'comparisons' } as const;

export const inputWords = (): Words => ({
	variable: 'Name that the node knows the value by.',
	value_selector: selector('The value'),
	value_type: { text: 'Type of the value.', field: {}, examples: valueTypes, rare: true },
});

export const conditionWords = (): Words => ({
	variable_selector: selector('The value that is compared'),
	comparison_operator: operator,
	value: { text: 'What it is compared with; may hold {{#node.variable#}}.', form: 'line' },
	varType: { text: 'Type of the value that is compared.', field: {}, examples: valueTypes, form: 'kept' },
	id: { text: 'ID of the condition.', field: {}, form: 'kept' },
	sub_variable_condition: 'Conditions on each file of a list.',
	'sub_variable_condition.logical_operator': 'Whether all of them have to hold, or one.',
	'sub_variable_condition.conditions': 'The conditions on a file.',
	'sub_variable_condition.conditions[]': 'A condition on a file.',
	'sub_variable_condition.conditions[].key': {
		text: 'What of the file is compared.',
		examples: ['name', 'type', 'size', 'mime_type', 'extension', 'url', 'transfer_method', 'related_id'],
	},
	'sub_variable_condition.conditions[].comparison_operator': operator,
	'sub_variable_condition.conditions[].value': 'What it is compared with.',
});

export const modelWords = (): Words => ({
	model: 'The model that is asked.',
	'model.provider': { text: 'Provider, as the hosted service names it. The built-in gateway goes by the name of the model.', rare: true },
	'model.name': { text: 'Name of the model. The routes of the built-in gateway say where it is asked.', refers: 'model' },
	'model.mode': { text: 'Kind of the model.', examples: ['chat', 'completion'], rare: true },
	'model.completion_params': 'Parameters of the model: temperature, top_p, max_tokens, stop and others.',
	...under('model', parameterWords()),
	memory: { text: 'Earlier turns of the chat go to the model.', rare: true },
	'memory.window': 'How many turns go along.',
	'memory.window.enabled': 'Whether there is a limit.',
	'memory.window.size': 'Number of turns.',
	'memory.query_prompt_template': { text: 'Text of the latest turn; what the user asked where it is empty.', form: 'text' },
	vision: { text: 'Pictures go to the model.', rare: true },
	'vision.enabled': 'Whether they do.',
	'vision.configs': 'Which pictures, and how.',
	'vision.configs.variable_selector': selector('A file or a list of files; those of the chat where it is absent', 'file', 'array[file]'),
	'vision.configs.detail': { text: 'How closely the model looks.', examples: ['high', 'low'] },
});

export const startWords = (): Words => ({
	variables: 'What a run of the agent takes.',
	'variables[]': 'An input of the agent.',
	'variables[].variable': 'Name of the input.',
	'variables[].label': 'Name that people see.',
	'variables[].type': {
		text: 'Kind of the input.',
		known: ['text-input', 'paragraph', 'select', 'number', 'checkbox', 'file', 'file-list', 'json_object', 'external_data_tool'],
	},
	'variables[].required': 'Whether a run needs it.',
	'variables[].max_length': { text: 'Longest text in characters; most files of a list.', rare: true },
	'variables[].options': { text: 'Values to choose from, for “select”.', rare: true },
	'variables[].default': { text: 'Value where none is given.', rare: true },
	'variables[].allowed_file_types': { text: 'Kinds of files that are taken: image, document, audio, video, custom.', rare: true },
	'variables[].allowed_file_extensions': { text: 'Endings of files that are taken, with their point.', rare: true },
	'variables[].allowed_file_upload_methods': { text: 'How files may come: local_file, remote_url.', rare: true },
	'variables[].json_schema': { text: 'Schema of a json_object.', field: {}, rare: true },
	'variables[].hint': { text: 'What people are told beside the input.', rare: true },
	'variables[].placeholder': { text: 'What stands in the input while it is empty.', field: {}, rare: true },
	'variables[].unit': { text: 'Unit of a number, beside the input.', field: {}, rare: true },
	'variables[].hide': { text: 'Whether people do not see the input.', field: {}, examples: ['true', 'false'], rare: true },
});

export const join = 'Whether all conditions have to hold (“and”) or one of them (“or”).';
