import { isRecord } from '#base/records/plainValues.ts';

/** Maximum number of values and characters. There is a limit because a small schema can request any size. */
const maxSize = 100_000;
const maxDepth = 32;

/** The root schema for references, and the remaining size. */
interface Making {
	readonly root: unknown;
	left: number;
}

/**
 * Creates a small value that matches a JSON schema: required properties only, the first value of an enum, numbers within their range, and
 * strings that name their property. Ignores patterns and rare formats. Stops at 100,000 values and characters.
 */
export function createSchemaSample(schema: unknown): unknown {
	return createSample(schema, { root: schema, left: maxSize }, 0);
}

function createSample(schema: unknown, making: Making, depth: number): unknown {
	making.left--;
	if (!isRecord(schema) || depth > maxDepth || making.left < 0) {
		return schema === true || schema === undefined ? 'offline' : null;
	}
	for (const fixed of [schema['const'], schema['default'], getFirstItem(schema['enum']), getFirstItem(schema['examples'])]) {
		if (fixed !== undefined) {
			return fixed;
		}
	}
	if (typeof schema['$ref'] === 'string') {
		return createSample(resolveReference(making.root, schema['$ref']), making, depth + 1);
	}
	const choice = getFirstItem(schema['anyOf']) ?? getFirstItem(schema['oneOf']);
	if (choice !== undefined) {
		return createSample(choice, making, depth + 1);
	}
	if (Array.isArray(schema['allOf'])) {
		const parts = schema['allOf'].map(part => createSample(part, making, depth + 1));
		return parts.every(isRecord) ? Object.assign({}, ...parts) : parts[0];
	}
	switch (getSchemaType(schema)) {
		case 'object':
			return createObjectSample(schema, making, depth);
		case 'array':
			return createListSample(schema, making, depth);
		case 'integer':
			return createNumberSample(schema, 1);
		case 'number':
			return createNumberSample(schema, 0.5);
		case 'boolean':
			return false;
		case 'null':
			return null;
		default:
			return createStringSample(schema, making);
	}
}

function createObjectSample(schema: Record<string, unknown>, making: Making, depth: number): Record<string, unknown> {
	const properties = isRecord(schema['properties']) ? schema['properties'] : {};
	const required = Array.isArray(schema['required']) ? schema['required'].filter(item => typeof item === 'string') : [];
	return Object.fromEntries(required.slice(0, making.left).map(name => [name, createSample(properties[name], making, depth + 1)]));
}

function createListSample(schema: Record<string, unknown>, making: Making, depth: number): unknown[] {
	const items: unknown[] = [];
	for (let wanted = readNumber(schema, 'minItems') ?? 0; wanted > 0 && making.left > 0; wanted--) {
		items.push(createSample(schema['items'], making, depth + 1));
	}
	return items;
}

function createNumberSample(schema: Record<string, unknown>, step: number): number {
	const above = readNumber(schema, 'exclusiveMinimum');
	const below = readNumber(schema, 'exclusiveMaximum');
	const min = readNumber(schema, 'minimum') ?? (above === undefined ? undefined : above + step);
	const max = readNumber(schema, 'maximum') ?? (below === undefined ? undefined : below - step);
	const value = min ?? Math.min(max ?? 0, 0);
	const multiple = readNumber(schema, 'multipleOf');
	return multiple ? Math.ceil(value / multiple) * multiple : value;
}

function createStringSample(schema: Record<string, unknown>, making: Making): string {
	const sample = formats[String(schema['format'])] ?? 'offline';
	const padded = sample.padEnd(Math.min(readNumber(schema, 'minLength') ?? 0, making.left), '.');
	making.left -= padded.length;
	return padded.slice(0, readNumber(schema, 'maxLength') ?? padded.length);
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

function getSchemaType(schema: Record<string, unknown>): unknown {
	const type = Array.isArray(schema['type']) ? schema['type'].find(item => item !== 'null') : schema['type'];
	return type ?? (isRecord(schema['properties']) ? 'object' : schema['items'] === undefined ? 'string' : 'array');
}

function resolveReference(root: unknown, reference: string): unknown {
	return reference
		.replace(/^#\/?/, '')
		.split('/')
		.filter(Boolean)
		.reduce<unknown>((value, key) => (isRecord(value) ? value[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined), root);
}

function readNumber(schema: Record<string, unknown>, name: string): number | undefined {
	const value = schema[name];
	return typeof value === 'number' ? value : undefined;
}

function getFirstItem(value: unknown): unknown {
	return Array.isArray(value) ? value[0] : undefined;
}
