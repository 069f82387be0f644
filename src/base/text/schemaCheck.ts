import type { JSONPath, Node } from 'jsonc-parser';
import type { Translate } from './localization.ts';
import { describeKind, findProperty, formatJsonPath, getNameRange, getValueRange, listProperties, type TextFault } from './textFaults.ts';

type TypeName = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/**
 * The subset of JSON schema that media/run.schema.json and media/agent.schema.json use, with a few additional keywords. The schemas are
 * generated from src/contract and src/engine (scripts/runFileSchema.ts, scripts/agentFileSchema.ts). They are checked here against the
 * nodes of a text, so that problems have positions.
 *
 * We don't use a schema library, as of November 2026: ajv (121 KB in a bundle) generates code for tenths of a second before the first
 * check. `json-schema-library` is as large. `@cfworker/json-schema` (22 KB, equally fast: 2 to 3 ms for 600 nodes) reports 14 errors for
 * one wrong `url` in a union, while this code reports one. None has positions, warnings (`known`), numbers written as strings (`numeric`)
 * or references (`refers`), and adding these would take as much code as this file.
 */
export interface JsonSchema {
	readonly $ref?: string;
	readonly type?: TypeName | readonly TypeName[];
	readonly description?: string | undefined;
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly required?: readonly string[];
	readonly additionalProperties?: boolean | JsonSchema;
	readonly items?: JsonSchema;
	readonly minItems?: number;
	readonly anyOf?: readonly JsonSchema[];
	readonly enum?: readonly string[];
	readonly const?: string;
	readonly minLength?: number;
	readonly minimum?: number;
	readonly examples?: readonly string[];
	readonly definitions?: Readonly<Record<string, JsonSchema>>;
	/** Known values. Other values cause a warning. */
	readonly known?: readonly string[];
	/** Set if the value is a number, or a string that is read as one. */
	readonly numeric?: 'number' | 'integer';
	/** Usual schemas of the value. Other values are allowed. */
	readonly usually?: readonly JsonSchema[];
	/** The kind of thing that the value refers to. `inner` is a node inside a container, `handle` an output handle. */
	readonly refers?: 'node' | 'container' | 'inner' | 'handle' | 'variable' | 'model';
	/** Types of variables that the value can refer to, with `array` for all lists. If absent, any type. */
	readonly takes?: readonly string[];
	/**
	 * How a form edits the value if its type isn't enough. `text` is multi-line and `line` single-line text with references, `code` is a
	 * program, and `kept` is data of the canvas that isn't edited.
	 */
	readonly form?: 'text' | 'line' | 'code' | 'jinja' | 'messages' | 'cases' | 'conditions' | 'classes' | 'kept';
	/** True for rarely used or obsolete fields, which a form shows on demand. */
	readonly rare?: boolean;
}

/** Follows the `$ref` of a schema. `root` has the definitions. */
export function resolveSchema(schema: JsonSchema, root: JsonSchema): JsonSchema {
	return schema.$ref ? { ...root.definitions?.[schema.$ref.replace('#/definitions/', '')], ...schema } : schema;
}

/** Checks a value against a schema. `root` has the definitions. */
export function checkSchema(node: Node, given: JsonSchema, root: JsonSchema, t: Translate, path: JSONPath = []): TextFault[] {
	const schema = resolveSchema(given, root);
	if (schema.anyOf) {
		return checkUnion(node, schema.anyOf, root, t, path);
	}
	if (!isOfType(node, schema)) {
		return [createTypeFault(node, schema, t, path)];
	}
	if (node.type === 'null' && schema.type?.includes('null')) {
		return [];
	}
	const allowed = schema.const === undefined ? schema.enum : [schema.const];
	if (allowed && !allowed.includes(node.value)) {
		return [createValueFault(node, allowed, t, path)];
	}
	if (schema.known && node.type === 'string' && !schema.known.includes(node.value)) {
		return [{ ...createValueFault(node, schema.known, t, path), severity: 'warning' }];
	}
	if (schema.minLength && String(node.value).length < schema.minLength) {
		return [createEmptyFault(node, schema, t, path)];
	}
	if (node.type === 'array') {
		if ((node.children?.length ?? 0) < (schema.minItems ?? 0)) {
			return [createEmptyFault(node, schema, t, path)];
		}
		return (node.children ?? []).flatMap((item, at) => (schema.items ? checkSchema(item, schema.items, root, t, [...path, at]) : []));
	}
	return node.type === 'object' ? checkObject(node, schema, root, t, path) : [];
}

function isOfType(node: Node, { type, numeric, minimum }: JsonSchema): boolean {
	if (numeric) {
		const number = node.type === 'object' || node.type === 'array' ? Number.NaN : Number(node.value);
		return !Number.isNaN(number) && (numeric === 'number' || Number.isInteger(number)) && number >= (minimum ?? Number.NEGATIVE_INFINITY);
	}
	return type === undefined || [type].flat().includes(node.type as TypeName);
}

function checkObject(node: Node, schema: JsonSchema, root: JsonSchema, t: Translate, path: JSONPath): TextFault[] {
	const faults: TextFault[] = [];
	for (const name of schema.required ?? []) {
		if (!findProperty(node, name)) {
			const expected = describeExpected(schema.properties?.[name] ?? {}, t);
			const place = path.length ? getNameRange(node) : getValueRange(node);
			faults.push({
				code: 'missing-field',
				severity: 'error',
				path: [...path, name],
				...place,
				message: t("'{0}' is missing. Expected {1}.", formatJsonPath([...path, name]), expected),
			});
		}
	}
	for (const { name, nameNode, value } of listProperties(node)) {
		// inherited fields such as `constructor` aren't fields of the schema
		const own = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
		const inner = own ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
		if (!own && schema.additionalProperties === false) {
			const known = Object.keys(schema.properties ?? {});
			faults.push({
				code: 'unknown-field',
				severity: 'error',
				path: [...path, name],
				...getValueRange(nameNode),
				message: t("'{0}' isn't a known field here. Expected {1}.", formatJsonPath([...path, name]), joinQuotedValues(known, t)),
				suggestions: known,
			});
		} else if (inner && value) {
			// passing 100,000 problems as arguments would overflow the stack
			for (const fault of checkSchema(value, inner, root, t, [...path, name])) {
				faults.push(fault);
			}
		}
	}
	return faults;
}

/**
 * Finds the variant that the user probably meant, by the value's constants, then its fields, then its type. Reports the problems of that
 * variant.
 */
function checkUnion(node: Node, variants: readonly JsonSchema[], root: JsonSchema, t: Translate, path: JSONPath): TextFault[] {
	const schemas = variants.map(variant => resolveSchema(variant, root));
	const results = schemas.map(variant => checkSchema(node, variant, root, t, path));
	const fits = results.find(faults => faults.every(({ severity }) => severity !== 'error'));
	if (fits && !findProperty(node, '$file')) {
		return fits;
	}
	const sameType = schemas.findIndex(variant => variant.type !== undefined && isOfType(node, variant));
	if (node.type !== 'object') {
		return results[Math.max(0, sameType)] ?? [];
	}
	const meant = schemas.findIndex(variant => variant.required?.includes('$file') && findProperty(node, '$file'));
	if (meant >= 0) {
		return results[meant] ?? [];
	}
	for (const name of new Set(schemas.flatMap(variant => Object.keys(variant.properties ?? {})))) {
		const constants = schemas.flatMap(variant => variant.properties?.[name]?.const ?? []);
		if (constants.length > 1) {
			const value = findProperty(node, name);
			const at = value ? schemas.findIndex(variant => variant.properties?.[name]?.const === value.value) : -1;
			if (at >= 0) {
				return results[at] ?? [];
			}
			return value
				? [createValueFault(value, constants, t, [...path, name])]
				: [
						{
							code: 'missing-field',
							severity: 'error',
							path: [...path, name],
							...getValueRange(node),
							message: t("'{0}' is missing. Expected {1}.", formatJsonPath([...path, name]), joinQuotedValues(constants, t)),
						},
					];
		}
	}
	return results[Math.max(0, sameType)] ?? [];
}

function createEmptyFault(node: Node, schema: JsonSchema, t: Translate, path: JSONPath): TextFault {
	const message = t("'{0}' is empty. Expected {1}.", formatJsonPath(path), describeExpected(schema, t));
	return { code: 'wrong-value', severity: 'error', path, ...getValueRange(node), message };
}

function createTypeFault(node: Node, schema: JsonSchema, t: Translate, path: JSONPath): TextFault {
	const expected = describeExpected(schema, t);
	const message = path.length
		? t("'{0}' is {1}. Expected {2}.", formatJsonPath(path), describeKind(node, t), expected)
		: t("The file contains {0}. Expected an object with 'model' and 'inputs'.", describeKind(node, t));
	return { code: 'wrong-type', severity: 'error', path, ...getValueRange(node), message };
}

function createValueFault(node: Node, allowed: readonly string[], t: Translate, path: JSONPath): TextFault {
	const found = JSON.stringify(node.value ?? null);
	const message = t(
		"'{0}' is {1}. Expected {2}.",
		formatJsonPath(path),
		found.length > 60 ? describeKind(node, t) : found,
		joinQuotedValues(allowed, t),
	);
	return { code: 'wrong-value', severity: 'error', path, ...getValueRange(node), message, suggestions: allowed };
}

function describeExpected(schema: JsonSchema, t: Translate): string {
	if (schema.enum) {
		return joinQuotedValues(schema.enum, t);
	}
	if (schema.numeric) {
		return schema.minimum === undefined ? t('a number') : t('a whole number of at least {0}', schema.minimum);
	}
	switch ([schema.type].flat()[0]) {
		case 'object':
			return t('an object');
		case 'array':
			return schema.minItems ? t('a non-empty list') : t('a list');
		case 'number':
			return t('a number');
		case 'boolean':
			return t('true or false');
		case 'string':
			return schema.minLength ? t('a non-empty string') : t('a string');
		default:
			return schema.anyOf?.map(variant => describeExpected(variant, t)).reduce((one, other) => t('{0} or {1}', one, other)) ?? t('a value');
	}
}

function joinQuotedValues(values: readonly string[], t: Translate): string {
	const quoted = values.map(value => JSON.stringify(value));
	return quoted.length < 2 ? (quoted[0] ?? '') : t('{0} or {1}', quoted.slice(0, -1).join(', '), quoted.at(-1) ?? '');
}
