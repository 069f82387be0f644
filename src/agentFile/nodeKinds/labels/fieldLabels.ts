import { type Labels, prefixPaths } from './label.ts';
import { describeParameters } from './parameterLabels.ts';

/** Value types of the format. */
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
 * Describes a selector.
 * @param takes accepted variable types; all if empty
 */
export const describeSelector = (text: string, ...takes: readonly string[]) => ({
	text: `${text}: [node ID, variable].`,
	refers: 'variable' as const,
	...(takes.length > 0 && { takes }),
});
export const operator = { text: 'How to compare the values.', known: 'comparisons' } as const;

export const describeInput = (): Labels => ({
	variable: 'Name of the variable in this node.',
	value_selector: describeSelector('The value'),
	value_type: { text: 'Type of the value.', field: {}, examples: valueTypes, rare: true },
});

export const describeCondition = (): Labels => ({
	variable_selector: describeSelector('Value to compare'),
	comparison_operator: operator,
	value: { text: 'Value to compare with. Can contain {{#node.variable#}}.', form: 'line' },
	varType: { text: 'Type of the value to compare.', field: {}, examples: valueTypes, form: 'kept' },
	id: { text: 'ID of the condition.', field: {}, form: 'kept' },
	sub_variable_condition: 'Conditions on each file of a list.',
	'sub_variable_condition.logical_operator': "Whether all conditions must match ('and') or any of them ('or').",
	'sub_variable_condition.conditions': 'Conditions on a file.',
	'sub_variable_condition.conditions[]': 'A condition on a file.',
	'sub_variable_condition.conditions[].key': {
		text: 'Property of the file to compare.',
		examples: ['name', 'type', 'size', 'mime_type', 'extension', 'url', 'transfer_method', 'related_id'],
	},
	'sub_variable_condition.conditions[].comparison_operator': operator,
	'sub_variable_condition.conditions[].value': 'Value to compare with.',
});

export const describeModel = (): Labels => ({
	model: 'Model to call.',
	'model.provider': { text: 'Provider, as named in Dify. The built-in gateway ignores it and uses the model name.', rare: true },
	'model.name': {
		text: 'Name of the model. The routes of the built-in gateway determine which service receives the request.',
		refers: 'model',
	},
	'model.mode': {
		text: "Whether the model replies to messages ('chat') or continues a text ('completion').",
		examples: ['chat', 'completion'],
		rare: true,
	},
	'model.completion_params': { text: 'Parameters of the model, such as temperature, top_p, max_tokens and stop.', rare: true },
	...prefixPaths('model', describeParameters()),
	memory: { text: 'Sends the conversation history to the model.', rare: true },
	'memory.window': 'Limit on the conversation history.',
	'memory.window.enabled': 'Whether to limit the conversation history.',
	'memory.window.size': 'Maximum number of earlier messages to send.',
	'memory.query_prompt_template': { text: "Template for the latest user message. Default: the user's message.", form: 'text' },
	vision: { text: 'Sends images to the model.', rare: true },
	'vision.enabled': 'Whether to send images.',
	'vision.configs': 'Which images to send, and in how much detail.',
	'vision.configs.variable_selector': describeSelector('File or list of files (default: the files of the chat)', 'file', 'array[file]'),
	'vision.configs.detail': { text: 'Level of image detail.', examples: ['high', 'low'] },
});

export const describeStart = (): Labels => ({
	variables: 'Inputs of the agent.',
	'variables[]': 'An input of the agent.',
	'variables[].variable': 'Name of the input.',
	'variables[].label': 'Display name.',
	'variables[].type': {
		text: 'Type of input.',
		known: ['text-input', 'paragraph', 'select', 'number', 'checkbox', 'file', 'file-list', 'json_object', 'external_data_tool'],
	},
	'variables[].required': 'Whether a value is required.',
	'variables[].max_length': { text: 'Maximum length in characters, or maximum number of files in a list.', rare: true },
	'variables[].options': { text: "Options to choose from, for 'select'.", rare: true },
	'variables[].default': { text: 'Default value.', rare: true },
	'variables[].allowed_file_types': { text: 'Accepted file types: image, document, audio, video, custom.', rare: true },
	'variables[].allowed_file_extensions': { text: 'Accepted file extensions, including the dot.', rare: true },
	'variables[].allowed_file_upload_methods': { text: 'Accepted upload methods: local_file, remote_url.', rare: true },
	'variables[].json_schema': { text: "JSON schema of the value, for 'json_object'.", field: {}, rare: true },
	'variables[].hint': { text: 'Hint shown next to the input.', rare: true },
	'variables[].placeholder': { text: 'Placeholder text to show while the input is empty.', field: {}, rare: true },
	'variables[].unit': { text: 'Unit of a number, shown next to the input.', field: {}, rare: true },
	'variables[].hide': { text: 'Whether to hide the input.', field: {}, examples: ['true', 'false'], rare: true },
});

export const join = "Whether all conditions must match ('and') or any of them ('or').";
