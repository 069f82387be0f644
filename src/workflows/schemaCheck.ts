import type { JSONPath, Node } from 'jsonc-parser';
import { kindOf, pathText, placeOf, placeOfName, propertiesOf, propertyOf, type RunFileFault, type Translate } from './runFileFaults.ts';

/**
 * The part of JSON schema that media/run.schema.json uses. The schema is made from src/protocol (scripts/runFileSchema.ts) and is
 * checked here on the nodes of the text, so that faults have places and the schema library stays out of the editor's bundle.
 */
export interface JsonSchema {
	readonly $ref?: string;
	readonly type?: 'object' | 'array' | 'string' | 'number' | 'boolean';
	readonly description?: string;
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly required?: readonly string[];
	readonly additionalProperties?: boolean | JsonSchema;
	readonly items?: JsonSchema;
	readonly anyOf?: readonly JsonSchema[];
	readonly enum?: readonly string[];
	readonly const?: string;
	readonly minLength?: number;
	readonly definitions?: Readonly<Record<string, JsonSchema>>;
}

/** Faults of a value against a schema. `root` holds the definitions. */
export function checkSchema(node: Node, schema: JsonSchema, root: JsonSchema, t: Translate, path: JSONPath = []): RunFileFault[] {
	if (schema.$ref) {
		const definition = root.definitions?.[schema.$ref.replace('#/definitions/', '')];
		return definition ? checkSchema(node, definition, root, t, path) : [];
	}
	if (schema.anyOf) {
		return checkUnion(node, schema.anyOf, root, t, path);
	}
	if (schema.type && node.type !== schema.type) {
		return [wrongType(node, schema, t, path)];
	}
	const allowed = schema.const === undefined ? schema.enum : [schema.const];
	if (allowed && !allowed.includes(node.value)) {
		return [wrongValue(node, allowed, t, path)];
	}
	if (schema.minLength && String(node.value).length < schema.minLength) {
		return [
			{
				code: 'wrong-value',
				severity: 'error',
				path,
				...placeOf(node),
				message: t('“{0}” is empty: expected {1}', pathText(path), expectedOf(schema, t)),
			},
		];
	}
	if (node.type === 'array') {
		return (node.children ?? []).flatMap((item, at) => (schema.items ? checkSchema(item, schema.items, root, t, [...path, at]) : []));
	}
	return node.type === 'object' ? checkObject(node, schema, root, t, path) : [];
}

function checkObject(node: Node, schema: JsonSchema, root: JsonSchema, t: Translate, path: JSONPath): RunFileFault[] {
	const faults: RunFileFault[] = [];
	for (const name of schema.required ?? []) {
		if (!propertyOf(node, name)) {
			const expected = expectedOf(schema.properties?.[name] ?? {}, t);
			const place = path.length ? placeOfName(node) : placeOf(node);
			faults.push({
				code: 'missing-field',
				severity: 'error',
				path: [...path, name],
				...place,
				message: t('“{0}” is missing: expected {1}', pathText([...path, name]), expected),
			});
		}
	}
	for (const { name, nameNode, value } of propertiesOf(node)) {
		const own = schema.properties?.[name];
		const inner = own ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
		if (!own && schema.additionalProperties === false) {
			const known = Object.keys(schema.properties ?? {});
			faults.push({
				code: 'unknown-field',
				severity: 'error',
				path: [...path, name],
				...placeOf(nameNode),
				message: t('“{0}” is not a field here: expected {1}', pathText([...path, name]), listOf(known, t)),
				suggestions: known,
			});
		} else if (inner && value) {
			faults.push(...checkSchema(value, inner, root, t, [...path, name]));
		}
	}
	return faults;
}

/** Picks the variant that the value means to be, by its constants and then by the fields it has, and reports the faults of that one. */
function checkUnion(node: Node, variants: readonly JsonSchema[], root: JsonSchema, t: Translate, path: JSONPath): RunFileFault[] {
	const resolved = variants.map(variant =>
		variant.$ref ? (root.definitions?.[variant.$ref.replace('#/definitions/', '')] ?? {}) : variant,
	);
	const results = resolved.map(variant => checkSchema(node, variant, root, t, path));
	const fits = results.find(faults => faults.length === 0);
	if (fits && !propertyOf(node, '$file')) {
		return fits;
	}
	if (node.type !== 'object') {
		return results[0] ?? [];
	}
	const meant = resolved.findIndex(variant => variant.required?.includes('$file') && propertyOf(node, '$file'));
	if (meant >= 0) {
		return results[meant] ?? [];
	}
	for (const name of new Set(resolved.flatMap(variant => Object.keys(variant.properties ?? {})))) {
		const constants = resolved.flatMap(variant => variant.properties?.[name]?.const ?? []);
		if (constants.length > 1) {
			const value = propertyOf(node, name);
			const at = value ? resolved.findIndex(variant => variant.properties?.[name]?.const === value.value) : -1;
			if (at >= 0) {
				return results[at] ?? [];
			}
			return value
				? [wrongValue(value, constants, t, [...path, name])]
				: [
						{
							code: 'missing-field',
							severity: 'error',
							path: [...path, name],
							...placeOf(node),
							message: t('“{0}” is missing: expected {1}', pathText([...path, name]), listOf(constants, t)),
						},
					];
		}
	}
	return results[0] ?? [];
}

function wrongType(node: Node, schema: JsonSchema, t: Translate, path: JSONPath): RunFileFault {
	const expected = expectedOf(schema, t);
	const message = path.length
		? t('“{0}” is {1}: expected {2}', pathText(path), kindOf(node, t), expected)
		: t('The file holds {0}: expected an object with “model” and “inputs”', kindOf(node, t));
	return { code: 'wrong-type', severity: 'error', path, ...placeOf(node), message };
}

function wrongValue(node: Node, allowed: readonly string[], t: Translate, path: JSONPath): RunFileFault {
	const found = JSON.stringify(node.value ?? null);
	const message = t('“{0}” is {1}: expected {2}', pathText(path), found.length > 60 ? kindOf(node, t) : found, listOf(allowed, t));
	return { code: 'wrong-value', severity: 'error', path, ...placeOf(node), message, suggestions: allowed };
}

function expectedOf(schema: JsonSchema, t: Translate): string {
	if (schema.enum) {
		return listOf(schema.enum, t);
	}
	switch (schema.type) {
		case 'object':
			return t('an object');
		case 'array':
			return t('a list');
		case 'number':
			return t('a number');
		case 'boolean':
			return t('true or false');
		default:
			return t('a text that is not empty');
	}
}

function listOf(values: readonly string[], t: Translate): string {
	const quoted = values.map(value => JSON.stringify(value));
	return quoted.length < 2 ? (quoted[0] ?? '') : t('{0} or {1}', quoted.slice(0, -1).join(', '), quoted.at(-1) ?? '');
}
