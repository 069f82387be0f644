import { isRecord } from '#base/records/plainValues.ts';

/** Maximum number of values and characters, and maximum depth, because a small schema can request any size. */
const maxSize = 100_000;
const maxDepth = 32;

/** The root schema that references resolve against, and the remaining size. */
interface Making {
	readonly root: unknown;
	left: number;
}

/**
 * Creates a small value that matches a JSON schema: required properties only, the first value of an enum, numbers within their range,
 * strings that name their origin. Doesn't solve patterns and rare formats. Cut at 100,000 values and characters.
 */
export function schemaSample(schema: unknown): unknown {
	return sampleOf(schema, { root: schema, left: maxSize }, 0);
}

function sampleOf(schema: unknown, making: Making, depth: number): unknown {
	making.left--;
	if (!isRecord(schema) || depth > maxDepth || making.left < 0) {
		return schema === true || schema === undefined ? 'offline' : null;
	}
	for (const fixed of [schema['const'], schema['default'], first(schema['enum']), first(schema['examples'])]) {
		if (fixed !== undefined) {
			return fixed;
		}
	}
	if (typeof schema['$ref'] === 'string') {
		return sampleOf(resolve(making.root, schema['$ref']), making, depth + 1);
	}
	const choice = first(schema['anyOf']) ?? first(schema['oneOf']);
	if (choice !== undefined) {
		return sampleOf(choice, making, depth + 1);
	}
	if (Array.isArray(schema['allOf'])) {
		const parts = schema['allOf'].map(part => sampleOf(part, making, depth + 1));
		return parts.every(isRecord) ? Object.assign({}, ...parts) : parts[0];
	}
	switch (typeOf(schema)) {
		case 'object':
			return objectSample(schema, making, depth);
		case 'array':
			return listSample(schema, making, depth);
		case 'integer':
			return numberSample(schema, 1);
		case 'number':
			return numberSample(schema, 0.5);
		case 'boolean':
			return false;
		case 'null':
			return null;
		default:
			return stringSample(schema, making);
	}
}

function objectSample(schema: Record<string, unknown>, making: Making, depth: number): Record<string, unknown> {
	const properties = isRecord(schema['properties']) ? schema['properties'] : {};
	const required = Array.isArray(schema['required']) ? schema['required'].filter(item => typeof item === 'string') : [];
	return Object.fromEntries(required.slice(0, making.left).map(name => [name, sampleOf(properties[name], making, depth + 1)]));
}

function listSample(schema: Record<string, unknown>, making: Making, depth: number): unknown[] {
	const items: unknown[] = [];
	for (let wanted = numberAt(schema, 'minItems') ?? 0; wanted > 0 && making.left > 0; wanted--) {
		items.push(sampleOf(schema['items'], making, depth + 1));
	}
	return items;
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

function stringSample(schema: Record<string, unknown>, making: Making): string {
	const sample = formats[String(schema['format'])] ?? 'offline';
	const padded = sample.padEnd(Math.min(numberAt(schema, 'minLength') ?? 0, making.left), '.');
	making.left -= padded.length;
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
	return type ?? (isRecord(schema['properties']) ? 'object' : schema['items'] === undefined ? 'string' : 'array');
}

function resolve(root: unknown, reference: string): unknown {
	return reference
		.replace(/^#\/?/, '')
		.split('/')
		.filter(Boolean)
		.reduce<unknown>((value, key) => (isRecord(value) ? value[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined), root);
}

function numberAt(schema: Record<string, unknown>, name: string): number | undefined {
	const value = schema[name];
	return typeof value === 'number' ? value : undefined;
}

function first(value: unknown): unknown {
	return Array.isArray(value) ? value[0] : undefined;
}
