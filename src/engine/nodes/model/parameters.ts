import * as z from 'zod';
import { isObjectValue } from '../../variables/objectValue.ts';
import { floatIn, intIn } from '../../variables/pythonNumbers.ts';
import { pythonStr, pythonType } from '../../variables/pythonText.ts';
import { segmentType } from '../../variables/segmentType.ts';
import { listOf, textSchema } from '../schemas.ts';

/** A parameter to extract. */
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
type Parameter = z.output<typeof parameterSchema>;

/**
 * Returns the problem with the values that a model returned, with the hosted service's messages and order of checks; `null` if there is
 * none.
 * @param found the object in the reply, if it isn't empty
 */
export function extractionFault(parameters: readonly Parameter[], found: Readonly<Record<string, unknown>> | undefined): string | null {
	// without an object, values of simple types count as found and empty
	const result =
		found ??
		Object.fromEntries(parameters.filter(({ type }) => !type.startsWith('array')).map(({ name, type }) => [name, emptyValue(type)]));
	if (Object.keys(result).length !== parameters.length) {
		return 'Invalid number of parameters';
	}
	for (const { name, type, required, options } of parameters) {
		if (required && !Object.hasOwn(result, name)) {
			return `Parameter ${name} is required`;
		}
		const value = Object.hasOwn(result, name) ? result[name] : null;
		const expected = segmentOf(type);
		if (!isOfType(expected, value)) {
			const types = `expected segment type: ${expected}, actual_type: ${segmentType(value)}, python_type: <class '${pythonType(value)}'>`;
			return `Invalid value for parameter ${name}, ${types}, value: ${pythonStr(value)}`;
		}
		if (expected === 'string' && options.length > 0 && !options.includes(value as string)) {
			return `Invalid \`select\` value for parameter ${name}`;
		}
	}
	return found ? null : 'Failed to extract result from function call or text response, using empty result.';
}

/** Converts a value to the parameter's type if possible; returns the type's empty value otherwise. */
export function parameterValue({ type }: Parameter, value: unknown): unknown {
	const item = itemType(type);
	if (item !== undefined) {
		const convert =
			item === 'boolean'
				? (entry: unknown) => (typeof entry === 'boolean' ? entry : undefined)
				: (entry: unknown) => converted(item, entry);
		return Array.isArray(value) ? value.map(convert).filter(entry => entry !== undefined) : [];
	}
	return converted(segmentOf(type), value) ?? emptyValue(type);
}

function converted(type: string, value: unknown): unknown {
	switch (type) {
		case 'number':
			return numberOf(value);
		case 'boolean':
			return typeof value === 'boolean' || Number.isInteger(value) ? Boolean(value) : undefined;
		case 'object':
			return isObjectValue(value) ? value : undefined;
		default:
			return typeof value === 'string' ? value : undefined;
	}
}

function numberOf(value: unknown): number | undefined {
	if (typeof value === 'string') {
		return value.includes('.') ? floatIn(value) : intIn(value);
	}
	return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : undefined;
}

function isOfType(type: string, value: unknown): boolean {
	const item = itemType(type);
	if (item !== undefined) {
		return Array.isArray(value) && value.every(entry => isOfType(item, entry));
	}
	switch (type) {
		case 'number':
			return typeof value === 'number' || typeof value === 'boolean';
		case 'boolean':
			return typeof value === 'boolean';
		case 'object':
			return isObjectValue(value);
		default:
			return typeof value === 'string';
	}
}

function itemType(type: string): string | undefined {
	return /^array\[(.+)\]$/.exec(type)?.[1];
}

/** Older files use other names. */
function segmentOf(type: string): string {
	return { bool: 'boolean', select: 'string' }[type] ?? type;
}

/** Returns the value of a parameter that wasn't found (workflow DSL, "parameter-extractor"). */
function emptyValue(type: string): unknown {
	if (type.startsWith('array')) {
		return [];
	}
	return { number: 0, bool: false, boolean: false, object: {} }[type] ?? '';
}

/** Returns the JSON schema of the reply. */
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
