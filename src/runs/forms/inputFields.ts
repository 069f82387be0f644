import { getOwnField } from '#base/records/ownField.ts';
import { indentJson } from '#base/text/json.ts';
import type { AgentParameters, AgentVariable } from '#contract/agents.ts';
import { formatTypedText } from '../request/typedValue.ts';
import type { FormField, FormFieldKind } from './runForm.ts';

/** Field kinds by variable type; other types are edited as text. */
const kinds: Readonly<Record<string, FormFieldKind>> = {
	'text-input': 'text',
	paragraph: 'paragraph',
	select: 'select',
	number: 'number',
	checkbox: 'checkbox',
	json_object: 'json',
	file: 'file',
	'file-list': 'file-list',
};

/** Returns form fields for the variables of an agent; `largest`: the service's file size limit in bytes, if known. */
export function createInputFields(variables: readonly AgentVariable[], largest?: number): FormField[] {
	return variables.map(variable => createInputField(variable, largest));
}

/**
 * Reads the variables from an agent's parameters (`user_input_form`), and the file size limit. `undefined` if the service doesn't list
 * them. The values come from a service, so each is checked.
 */
export function readParameterVariables({
	user_input_form: form,
	system_parameters: system,
}: AgentParameters): { readonly variables: readonly AgentVariable[]; readonly largest?: number } | undefined {
	if (!Array.isArray(form)) {
		return undefined;
	}
	const variables = form.flatMap(entry => Object.entries(entry ?? {}).flatMap(([type, field]) => readVariable(type, field) ?? []));
	const limits = Object.values(system ?? {}).filter(limit => typeof limit === 'number' && limit > 0) as number[];
	return { variables, ...(limits.length > 0 ? { largest: Math.max(...limits) * 1048576 } : {}) };
}

function readVariable(type: string, field: unknown): AgentVariable | undefined {
	const given = (typeof field === 'object' && field !== null ? field : {}) as Readonly<Record<string, unknown>>;
	const { variable, label, required, max_length: most, hint } = given;
	if (typeof variable !== 'string' || variable === '' || type === 'external_data_tool') {
		return undefined;
	}
	return {
		variable,
		type,
		label: getFieldText(label) || variable,
		required: required === true,
		options: toStrings(given['options']),
		default: given['default'],
		...(typeof most === 'number' && most > 0 ? { max_length: most } : {}),
		...(getFieldText(hint) ? { hint: getFieldText(hint) } : {}),
		allowed_file_types: toStrings(given['allowed_file_types']),
		allowed_file_extensions: toStrings(given['allowed_file_extensions']),
		allowed_file_upload_methods: toStrings(given['allowed_file_upload_methods']),
	};
}

function createInputField(variable: AgentVariable, largest: number | undefined): FormField {
	const { variable: name, label, type, required, max_length: most, options = [], hint } = variable;
	const kind = getOwnField(kinds, type) ?? 'paragraph';
	const methods = variable.allowed_file_upload_methods ?? [];
	const first = formatTypedText(variable.default);
	const isFile = kind === 'file' || kind === 'file-list';
	const isText = kind === 'text' || kind === 'paragraph';
	return {
		name,
		label: label || name,
		kind,
		// a checkbox always has a value
		required: required && kind !== 'checkbox',
		value: kind === 'checkbox' ? String(first === 'true') : kind === 'json' ? indentJson(first) : isFile ? '' : first,
		options,
		fileTypes: variable.allowed_file_types ?? [],
		extensions: variable.allowed_file_extensions ?? [],
		uploads: isFile && (methods.length === 0 || methods.includes('local_file')),
		links: isFile && (methods.length === 0 || methods.includes('remote_url')),
		...(hint ? { help: hint } : {}),
		...(isText && most ? { longest: most } : {}),
		...(kind === 'file-list' && most ? { most } : {}),
		...(isFile && largest !== undefined ? { largest } : {}),
	};
}

function getFieldText(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

function toStrings(value: unknown): string[] {
	return Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];
}
