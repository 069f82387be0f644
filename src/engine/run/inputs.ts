import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { type FileObject, fileObjectSchema } from '#contract/workflows.ts';
import type { AgentNode, Graph, LoadedAgent, StartVariable } from '../agentFile/agentTypes.ts';
import type { StartSettings } from '../nodes/start.ts';
import { InputError } from './inputError.ts';

/**
 * Returns the start node or trigger with this ID, or the first in the file.
 * @throws {InputError} if no start node or trigger has this ID
 */
export function findRoot({ root, roots }: Graph, id: string | undefined): AgentNode {
	const found = id === undefined ? root : roots.find(node => node.id === id);
	if (!found) {
		const known = roots.map(node => `'${node.id}'`).join(', ');
		throw new InputError('trigger', `The agent has no start node or trigger '${id?.slice(0, 100)}'. Expected one of ${known}.`);
	}
	return found;
}

/** Returns the variables that a start node declares; empty for a trigger. */
export function getStartVariables({ settings }: AgentNode): readonly StartVariable[] {
	return (settings as StartSettings).variables;
}

/**
 * Checks inputs against the variables of the start node. Drops unknown inputs, converts numbers given as strings, and fills in defaults for
 * missing inputs. A trigger declares no variables: its inputs are returned unchanged.
 * @param trigger ID of the node to start from; default: the first in the file
 * @returns the inputs for `RunOptions.inputs`
 * @throws {InputError} with the hosted service's messages
 */
export function checkInputs(
	agent: LoadedAgent,
	inputs: Readonly<Record<string, unknown>>,
	files: readonly FileObject[] = [],
	trigger?: string,
): Record<string, unknown> {
	const root = findRoot(agent.graph, trigger);
	for (const file of files) {
		if (!fileObjectSchema.safeParse(file).success) {
			throw new InputError('files', 'files must be a list of file objects');
		}
	}
	if (root.type !== 'start') {
		return { ...inputs };
	}
	const checked = getStartVariables(root).map(variable => {
		const value = removeNullCharacters(
			checkValue(variable, Object.hasOwn(inputs, variable.variable) ? inputs[variable.variable] : undefined),
		);
		return [variable.variable, value] as const;
	});
	return Object.fromEntries(checked.filter(([, value]) => value !== undefined));
}

function checkValue(variable: StartVariable, given: unknown): unknown {
	const value = given ?? variable.default ?? undefined;
	if (value === undefined || (given === undefined && value === '')) {
		if (variable.required) {
			throw createInputError(variable, `${variable.variable} is required in input form`);
		}
		return undefined;
	}
	switch (variable.type) {
		case 'text-input':
		case 'paragraph':
			return checkText(variable, value);
		case 'select':
			return checkOption(variable, value);
		case 'number':
			return checkNumber(variable, value);
		case 'checkbox':
			return checkBoolean(variable, value);
		case 'json_object':
			return checkObject(variable, value);
		case 'file':
			return checkFile(variable, value);
		case 'file-list':
			return checkFiles(variable, value);
		default:
			return value;
	}
}

/** Drops U+0000 from strings, as the hosted service does, because databases and many programs reject it. */
function removeNullCharacters(value: unknown): unknown {
	return typeof value === 'string' ? value.replaceAll('\0', '') : value;
}

function checkString(variable: StartVariable, value: unknown): string {
	if (typeof value !== 'string') {
		throw createInputError(variable, `(type '${variable.type}') ${variable.variable} in input form must be a string`);
	}
	if (variable.required && value === '') {
		throw createInputError(variable, `${variable.variable} is required in input form`);
	}
	return value;
}

function checkText(variable: StartVariable, given: unknown): string {
	const value = checkString(variable, given);
	if (variable.max_length && isLongerThan(value, variable.max_length)) {
		throw createInputError(variable, `${variable.variable} in input form must be less than ${variable.max_length} characters`);
	}
	return value;
}

/** True if a text has more characters than `most`. Only counts them if the text isn't obviously longer, as megabytes are. */
function isLongerThan(text: string, most: number): boolean {
	return text.length > 2 * most || (text.length > most && [...text].length > most);
}

function checkOption(variable: StartVariable, value: unknown): string | undefined {
	const text = checkString(variable, value);
	if (text === '' && !variable.required) {
		return undefined;
	}
	const options = variable.options ?? [];
	if (!options.includes(text)) {
		const list = options.map(option => `'${option}'`).join(', ');
		throw createInputError(variable, `${variable.variable} in input form must be one of the following: [${list}]`);
	}
	return text;
}

function checkNumber(variable: StartVariable, value: unknown): number | undefined {
	if (typeof value === 'number' && Number.isFinite(value)) {
		return value;
	}
	if (typeof value !== 'string') {
		throw createInputError(variable, `(type 'number') ${variable.variable} in input form must be a number`);
	}
	if (value.trim() === '' && !variable.required) {
		return undefined;
	}
	if (!/^\s*[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) {
		throw createInputError(variable, `${variable.variable} in input form must be a valid number`);
	}
	return Number(value);
}

const booleanWords = new Map([
	...['true', '1', 'yes', 'on'].map(word => [word, true] as const),
	...['false', '0', 'no', 'off'].map(word => [word, false] as const),
]);

function checkBoolean(variable: StartVariable, value: unknown): boolean {
	if (typeof value === 'boolean') {
		return value;
	}
	const known = booleanWords.get(String(value).trim().toLowerCase());
	if (known === undefined) {
		throw createInputError(variable, `${variable.variable} in input form must be a boolean value`);
	}
	return known;
}

function checkObject(variable: StartVariable, value: unknown): unknown {
	const parsed = typeof value === 'string' ? tryParseJson(value) : value;
	if (!isRecord(parsed)) {
		throw createInputError(variable, `${variable.variable} in input form must be a JSON object`);
	}
	return parsed;
}

function checkFile(variable: StartVariable, value: unknown): FileObject | undefined {
	if (value === '' && !variable.required) {
		return undefined;
	}
	const parsed = fileObjectSchema.safeParse(value);
	if (!parsed.success) {
		throw createInputError(variable, `${variable.variable} in input form must be a file`);
	}
	const allowed = variable.allowedFileTypes;
	if (allowed.length > 0 && !allowed.includes(parsed.data.type)) {
		throw createInputError(variable, `${variable.variable} in input form must be a file of one of these types: ${allowed.join(', ')}`);
	}
	return parsed.data;
}

function checkFiles(variable: StartVariable, value: unknown): FileObject[] | undefined {
	if (value === '' && !variable.required) {
		return undefined;
	}
	if (!Array.isArray(value)) {
		throw createInputError(variable, `${variable.variable} in input form must be a list of files`);
	}
	if (variable.max_length && value.length > variable.max_length) {
		throw createInputError(variable, `${variable.variable} in input form must be less than ${variable.max_length} files`);
	}
	return value.map(file => checkFile({ ...variable, required: true }, file) as FileObject);
}

function createInputError(variable: StartVariable, message: string): InputError {
	return new InputError(variable.variable, message);
}
