import { isOneShotMode } from '#agentFile/appModes.ts';
import { getField } from '#base/records/plainValues.ts';
import type { LoadedAgent, StartVariable } from '#engine/agentFile/agentTypes.ts';

/** An argument of a tool: a variable of the agent's start node, or a general argument of calls. */
export type ToolArgument =
	| { readonly name: string; readonly kind: 'variable'; readonly variable: StartVariable }
	| { readonly name: 'query' | 'conversation_id' | 'files'; readonly kind: 'call'; readonly required: boolean };

/** Arguments of a tool. */
export interface ToolInputs {
	readonly inputs: readonly ToolArgument[];
	/** True if other arguments are accepted too, because triggers declare no variables. */
	readonly others: boolean;
}

/** Returns the arguments of an agent's tool. A variable whose name conflicts with a general argument is named `input_NAME`. */
export function getToolInputs(agent: LoadedAgent): ToolInputs {
	const own: ToolArgument[] = [];
	if (!isOneShotMode(agent.mode)) {
		own.push({ name: 'query', kind: 'call', required: true }, { name: 'conversation_id', kind: 'call', required: false });
	}
	if (acceptsFiles(agent)) {
		own.push({ name: 'files', kind: 'call', required: false });
	}
	const reserved = new Set<string>(own.map(({ name }) => name));
	const variables = agent.variables.map((variable): ToolArgument => {
		const { variable: name } = variable;
		return { name: reserved.has(name) ? `input_${name}` : name, kind: 'variable', variable };
	});
	return { inputs: [...own, ...variables], others: agent.graph.root.type !== 'start' };
}

/** Returns the JSON schema of a tool's arguments. */
export function toInputSchema({ inputs, others }: ToolInputs): Readonly<Record<string, unknown>> {
	return {
		type: 'object',
		properties: Object.fromEntries(inputs.map(input => [input.name, toSchemaProperty(input)])),
		required: inputs.filter(isRequired).map(({ name }) => name),
		additionalProperties: others,
	};
}

/** Describes the arguments of a tool in one sentence, for callers that sent invalid arguments. */
export function describeInputs({ inputs, others }: ToolInputs): string {
	if (inputs.length === 0) {
		return others ? 'The tool accepts any inputs.' : 'The tool has no inputs.';
	}
	const list = inputs.map(input => `${input.name} (${[describeType(input), ...(isRequired(input) ? ['required'] : [])].join(', ')})`);
	return `Expected inputs: ${list.join('; ')}${others ? '; others are accepted too' : ''}.`;
}

function isRequired(input: ToolArgument): boolean {
	if (input.kind === 'call') {
		return input.required;
	}
	const { required, default: value } = input.variable;
	return required && (value === undefined || value === null || value === '');
}

const fileHint = 'an http:// or https:// URL, or the file itself as a data URL in the form data:TYPE;base64,…';
const ownHints = {
	query: 'The message for the agent.',
	conversation_id: 'The conversation to continue, from an earlier result of this tool. Omit it to start a new conversation.',
	files: `Attached files, each ${fileHint}.`,
};

function toSchemaProperty(input: ToolArgument): Readonly<Record<string, unknown>> {
	if (input.kind === 'call') {
		const description = ownHints[input.name];
		return input.name === 'files' ? { type: 'array', items: { type: 'string' }, description } : { type: 'string', description };
	}
	const { variable, label, hint, default: value, max_length: length } = input.variable;
	const words = [...new Set([label || variable, ...(hint ? [hint] : [])])].join('. ');
	const about = { description: words, ...(value !== undefined && value !== null && value !== '' && { default: value }) };
	switch (input.variable.type) {
		case 'number':
			return { type: 'number', ...about };
		case 'checkbox':
			return { type: 'boolean', ...about };
		case 'json_object':
			return { type: 'object', ...about };
		case 'select':
			return { type: 'string', enum: input.variable.options ?? [], ...about };
		case 'file':
			return { type: 'string', description: `${words} (${fileHint})` };
		case 'file-list':
			return { type: 'array', items: { type: 'string' }, ...(length && { maxItems: length }), description: `${words} (each ${fileHint})` };
		default:
			return { type: 'string', ...(length && { maxLength: length }), ...about };
	}
}

function describeType(input: ToolArgument): string {
	if (input.kind === 'call') {
		return input.name === 'files' ? 'list of files' : 'string';
	}
	const { type, options = [], max_length: length } = input.variable;
	switch (type) {
		case 'number':
			return 'number';
		case 'checkbox':
			return 'true or false';
		case 'json_object':
			return 'JSON object';
		case 'select':
			return `one of ${options.map(option => JSON.stringify(option)).join(', ')}`;
		case 'file':
			return 'file';
		case 'file-list':
			return 'list of files';
		default:
			return length ? `string with a maximum length of ${length}` : 'string';
	}
}

function acceptsFiles({ features }: LoadedAgent): boolean {
	const upload = features['file_upload'];
	return getField(upload, 'enabled') === true || getField(getField(upload, 'image'), 'enabled') === true;
}
