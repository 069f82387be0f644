import * as z from 'zod';
import { listOf, textSchema } from './nodes/schemas.ts';

/** A value that a parameter-extractor looks for. */
export const parameterSchema = z.looseObject({
	name: z.string().min(1),
	type: z.string(),
	options: listOf(z.coerce.string()),
	description: textSchema,
	required: z
		.boolean()
		.nullish()
		.transform(required => required ?? false),
});
export type Parameter = z.output<typeof parameterSchema>;

/** A found value in the parameter's type; `undefined` if it is not of it. */
export function parameterValue({ type, options }: Parameter, value: unknown): unknown {
	if (value === undefined || value === null) {
		return undefined;
	}
	const item = /^array\[(.+)\]$/.exec(type)?.[1];
	if (item) {
		return Array.isArray(value) ? value.map(entry => simpleValue(item, entry)).filter(entry => entry !== undefined) : undefined;
	}
	const simple = simpleValue(type, value);
	return type === 'select' && !options.includes(String(simple)) ? undefined : simple;
}

function simpleValue(type: string, value: unknown): unknown {
	switch (type) {
		case 'number':
			return typeof value === 'boolean' || value === '' || !Number.isFinite(Number(value)) ? undefined : Number(value);
		case 'bool':
		case 'boolean':
			return typeof value === 'boolean' ? value : { true: true, false: false }[String(value).toLowerCase()];
		case 'object':
			return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
		default:
			return typeof value === 'object' ? JSON.stringify(value) : String(value);
	}
}

/** What a value that was not found is (workflow DSL, "parameter-extractor"). */
export function emptyParameter({ type }: Parameter): unknown {
	if (type.startsWith('array')) {
		return [];
	}
	return { number: 0, bool: false, boolean: false, object: {} }[type] ?? '';
}

/** JSON schema of the reply. */
export function replySchema(parameters: readonly Parameter[]): Record<string, unknown> {
	return {
		type: 'object',
		properties: Object.fromEntries(parameters.map(parameter => [parameter.name, valueSchema(parameter)])),
		required: parameters.filter(({ required }) => required).map(({ name }) => name),
		additionalProperties: false,
	};
}

function valueSchema({ type, description, options }: Parameter): Record<string, unknown> {
	const item = /^array\[(.+)\]$/.exec(type)?.[1];
	return {
		...(item ? { type: 'array', items: { type: schemaType(item) } } : { type: schemaType(type) }),
		...(description && { description }),
		...(options.length > 0 && { enum: options }),
	};
}

function schemaType(type: string): string {
	return { number: 'number', bool: 'boolean', boolean: 'boolean', object: 'object' }[type] ?? 'string';
}
