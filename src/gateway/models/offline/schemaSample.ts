/**
 * A small value that a JSON schema accepts: required properties only, the first of an enum, numbers within their range, strings that say where
 * they come from. `name` is that of the property. Patterns and formats beyond the common ones are not solved.
 */
export function schemaSample(schema: unknown, name = '', root: unknown = schema, depth = 0): unknown {
	if (!isObject(schema) || depth > 32) {
		return schema === true || schema === undefined ? 'offline' : null;
	}
	for (const fixed of [schema['const'], schema['default'], first(schema['enum']), first(schema['examples'])]) {
		if (fixed !== undefined) {
			return fixed;
		}
	}
	if (typeof schema['$ref'] === 'string') {
		return schemaSample(resolve(root, schema['$ref']), name, root, depth + 1);
	}
	const choice = first(schema['anyOf']) ?? first(schema['oneOf']);
	if (choice !== undefined) {
		return schemaSample(choice, name, root, depth + 1);
	}
	if (Array.isArray(schema['allOf'])) {
		const parts = schema['allOf'].map(part => schemaSample(part, name, root, depth + 1));
		return parts.every(isObject) ? Object.assign({}, ...parts) : parts[0];
	}
	switch (typeOf(schema)) {
		case 'object':
			return objectSample(schema, root, depth);
		case 'array':
			return Array.from({ length: numberAt(schema, 'minItems') ?? 0 }, () => schemaSample(schema['items'], name, root, depth + 1));
		case 'integer':
			return numberSample(schema, 1);
		case 'number':
			return numberSample(schema, 0.5);
		case 'boolean':
			return false;
		case 'null':
			return null;
		default:
			return stringSample(schema);
	}
}

function objectSample(schema: Record<string, unknown>, root: unknown, depth: number): Record<string, unknown> {
	const properties = isObject(schema['properties']) ? schema['properties'] : {};
	const required = Array.isArray(schema['required']) ? schema['required'].filter(item => typeof item === 'string') : [];
	return Object.fromEntries(required.map(name => [name, schemaSample(properties[name], name, root, depth + 1)]));
}

function numberSample(schema: Record<string, unknown>, step: number): number {
	const above = numberAt(schema, 'exclusiveMinimum');
	const below = numberAt(schema, 'exclusiveMaximum');
	const min = numberAt(schema, 'minimum') ?? (above === undefined ? undefined : above + step);
	const max = numberAt(schema, 'maximum') ?? (below === undefined ? undefined : below - step);
	const value = min ?? Math.min(max ?? 0, 0);
	const multiple = numberAt(schema, 'multipleOf');
	return multiple ? Math.ceil(value / multiple) * multiple : value;
}

function stringSample(schema: Record<string, unknown>): string {
	const sample = formats[String(schema['format'])] ?? 'offline';
	const padded = sample.padEnd(numberAt(schema, 'minLength') ?? 0, '.');
	return padded.slice(0, numberAt(schema, 'maxLength') ?? padded.length);
}

const formats: Readonly<Record<string, string>> = {
	date: '2000-01-01',
	'date-time': '2000-01-01T00:00:00Z',
	time: '00:00:00Z',
	email: 'offline@example.invalid',
	uri: 'https://example.invalid/offline',
	url: 'https://example.invalid/offline',
	uuid: '00000000-0000-4000-8000-000000000000',
};

function typeOf(schema: Record<string, unknown>): unknown {
	const type = Array.isArray(schema['type']) ? schema['type'].find(item => item !== 'null') : schema['type'];
	return type ?? (isObject(schema['properties']) ? 'object' : schema['items'] === undefined ? 'string' : 'array');
}

function resolve(root: unknown, reference: string): unknown {
	return reference
		.replace(/^#\/?/, '')
		.split('/')
		.filter(Boolean)
		.reduce<unknown>((value, key) => (isObject(value) ? value[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined), root);
}

function numberAt(schema: Record<string, unknown>, name: string): number | undefined {
	const value = schema[name];
	return typeof value === 'number' ? value : undefined;
}

function first(value: unknown): unknown {
	return Array.isArray(value) ? value[0] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
