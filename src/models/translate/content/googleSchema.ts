import { isRecord, toFields } from '#base/records/plainValues.ts';
import type { Fields } from './protoJson.ts';

/**
 * Converts Gemini's schema format (uppercase types, `nullable`, counts as strings, snake case names) to a JSON schema. JSON schemas stay
 * the same, except that uppercase types, which clients also use there, are converted.
 */
export function toJsonSchema(schema: unknown): Record<string, unknown> {
	const result: Record<string, unknown> = {};
	for (const [given, value] of Object.entries(toFields(schema))) {
		const name = protoNames[given] ?? given;
		const converted = convertField(name, value, schema as Fields);
		if (converted !== undefined) {
			result[name] = converted;
		}
	}
	return result;
}

/** Snake case names of schema fields. */
const protoNames: Readonly<Record<string, string>> = {
	any_of: 'anyOf',
	min_items: 'minItems',
	max_items: 'maxItems',
	min_length: 'minLength',
	max_length: 'maxLength',
	min_properties: 'minProperties',
	max_properties: 'maxProperties',
	property_ordering: 'propertyOrdering',
	additional_properties: 'additionalProperties',
};

function convertField(name: string, value: unknown, schema: Fields): unknown {
	if (oneSchema.has(name)) {
		return isRecord(value) ? toJsonSchema(value) : Array.isArray(value) ? value.map(convertSchema) : value;
	}
	if (manySchemas.has(name)) {
		return Array.isArray(value) ? value.map(convertSchema) : value;
	}
	if (namedSchemas.has(name)) {
		return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([property, inner]) => [property, convertSchema(inner)])) : value;
	}
	switch (name) {
		case 'type':
			return convertType(value, schema['nullable'] === true);
		case 'nullable':
		case 'propertyOrdering':
		case 'example':
			return undefined;
		case 'enum':
			// an enum that allows null must list it
			return schema['nullable'] === true && Array.isArray(value) && !value.includes(null) ? [...value, null] : value;
		default:
			// int64 fields are strings in proto3 JSON
			return counts.has(name) && typeof value === 'string' ? Number(value) : value;
	}
}

/** Converts a schema; `true` and `false` stay the same. */
function convertSchema(value: unknown): unknown {
	return isRecord(value) ? toJsonSchema(value) : value;
}

const oneSchema = new Set([
	'items',
	'additionalProperties',
	'not',
	'if',
	'then',
	'else',
	'contains',
	'propertyNames',
	'unevaluatedProperties',
]);
const manySchemas = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const namedSchemas = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const counts = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']);

function convertType(type: unknown, nullable: boolean): unknown {
	if (Array.isArray(type)) {
		return type.map(inner => convertType(inner, false));
	}
	const plain = typeof type === 'string' ? type.toLowerCase() : type;
	if (plain === 'type_unspecified') {
		return undefined;
	}
	return nullable && typeof plain === 'string' ? [plain, 'null'] : plain;
}
