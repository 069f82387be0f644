import { camelFields, type Fields, isObject } from './protoJson.ts';

/**
 * Gemini's schema form (types in capitals, `nullable`, counts as text) as a JSON schema. What already is a JSON schema comes out the same.
 */
export function jsonSchemaOf(schema: unknown): Record<string, unknown> {
	const fields = camelFields(schema);
	const result: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(fields)) {
		const converted = fieldOf(name, value, fields);
		if (converted !== undefined) {
			result[name] = converted;
		}
	}
	return result;
}

function fieldOf(name: string, value: unknown, fields: Fields): unknown {
	switch (name) {
		case 'type':
			return typeOf(value, fields['nullable'] === true);
		case 'nullable':
		case 'propertyOrdering':
			return undefined;
		case 'items':
			return jsonSchemaOf(value);
		case 'properties':
			return isObject(value)
				? Object.fromEntries(Object.entries(value).map(([property, inner]) => [property, jsonSchemaOf(inner)]))
				: undefined;
		case 'anyOf':
			return Array.isArray(value) ? value.map(jsonSchemaOf) : undefined;
		case 'additionalProperties':
			return isObject(value) ? jsonSchemaOf(value) : value;
		case 'example':
			return undefined;
		default:
			// int64 fields are text in proto3 JSON
			return counts.has(name) && typeof value === 'string' ? Number(value) : value;
	}
}

const counts = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']);

function typeOf(type: unknown, nullable: boolean): unknown {
	const plain = typeof type === 'string' ? type.toLowerCase() : type;
	if (plain === 'type_unspecified') {
		return undefined;
	}
	return nullable && typeof plain === 'string' ? [plain, 'null'] : plain;
}
