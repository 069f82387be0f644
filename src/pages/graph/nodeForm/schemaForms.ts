import { getOwnField } from '#base/records/ownField.ts';
import { type JsonSchema, resolveSchema } from '#base/text/schemaCheck.ts';

/** Resolves the schema of a value. Of several variants, returns the one that the value matches, else the first. */
export function resolveVariant(schema: JsonSchema, value: unknown, root: JsonSchema): JsonSchema {
	const { anyOf, usually, ...own } = resolveSchema(schema, root);
	const variants = [...(anyOf ?? []), ...(usually ?? [])].map(each => resolveSchema(each, root)).filter(({ type }) => type !== 'null');
	const meant = isMissing(value) ? variants[0] : variants.find(each => isOfType(each, value));
	return meant ? { ...own, ...meant } : own;
}

/** Returns the type of a schema, ignoring null; `undefined` if it has none. */
export function getSchemaType({ type }: JsonSchema): string | undefined {
	return [type].flat().find(each => each !== 'null');
}

export function isMissing(value: unknown): value is undefined | null {
	return value === undefined || value === null;
}

/** True if a value has the type of a schema. */
export function isOfType(schema: JsonSchema, value: unknown): boolean {
	const type = getSchemaType(schema);
	return type === undefined || type === (Array.isArray(value) ? 'array' : typeof value);
}

/** True if a field is a boolean by its type or its examples. */
export function isBoolean(schema: JsonSchema): boolean {
	return (
		getSchemaType(schema) === 'boolean' ||
		(schema.examples?.length === 2 && schema.examples.every(each => each === 'true' || each === 'false'))
	);
}

/** Comment for translators of labels made by {@link formatFieldLabel}. It's part of the keys of their translations. */
export const fieldLabelComment = 'name of a field in the form of a node';

/** Labels of fields whose names aren't plain words. */
const fieldLabels: Readonly<Record<string, string>> = {
	completion_params: 'Model parameters',
	desc: 'Description',
	is_array_file: 'List of files',
	is_parallel: 'Run in parallel',
	isInIteration: 'In iteration',
	isInLoop: 'In loop',
	number_limits: 'Maximum files',
	package_ref: 'Package reference',
	parallel_nums: 'Parallel iterations',
	params: 'Parameters',
	previous_node_output_refs: 'Outputs of earlier nodes',
	reranking_enable: 'Reranking',
	ssl_verify: 'Verify certificates',
	structured_output_switch_on: 'Use structured output',
	timezone: 'Time zone',
	top_k: 'Top K',
	top_p: 'Top P',
	var_type: 'Variable type',
	varType: 'Variable type',
};

const acronyms: Readonly<Record<string, string>> = { api: 'API', id: 'ID', ids: 'IDs', json: 'JSON', url: 'URL' };

/** Formats a field's name for display: `max_retries` becomes "Max retries", `case_id` becomes "Case ID". */
export function formatFieldLabel(name: string): string {
	const label = getOwnField(fieldLabels, name);
	if (label !== undefined) {
		return label;
	}
	const words = name
		.replaceAll('_', ' ')
		.replaceAll(/([a-z])([A-Z])/g, '$1 $2')
		.trim()
		.split(' ')
		.map(word => getOwnField(acronyms, word) ?? word)
		.join(' ');
	return words.charAt(0).toUpperCase() + words.slice(1);
}
