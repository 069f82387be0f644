import * as z from 'zod';
import { isObjectValue } from '../../variables/objectValue.ts';
import { parsePythonFloat, parsePythonInt } from '../../variables/pythonNumbers.ts';
import { getPythonType, toPythonStr } from '../../variables/pythonText.ts';
import { getSegmentType } from '../../variables/segmentType.ts';
import { createListSchema, textSchema } from '../schemas.ts';

/** A parameter to extract. */
export const parameterSchema = z.looseObject({
	name: z.string().min(1),
	type: z.string(),
	options: createListSchema(z.coerce.string()),
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
export function findExtractionFault(parameters: readonly Parameter[], found: Readonly<Record<string, unknown>> | undefined): string | null {
	// without an object, values of simple types count as found and empty
	const result =
		found ??
		Object.fromEntries(parameters.filter(({ type }) => !type.startsWith('array')).map(({ name, type }) => [name, getEmptyParameter(type)]));
	if (Object.keys(result).length !== parameters.length) {
		return 'Invalid number of parameters';
	}
	for (const { name, type, required, options } of parameters) {
		if (required && !Object.hasOwn(result, name)) {
			return `Parameter ${name} is required`;
		}
		const value = Object.hasOwn(result, name) ? result[name] : null;
		const expected = toSegmentType(type);
		if (!isOfType(expected, value)) {
			const types = `expected segment type: ${expected}, actual_type: ${getSegmentType(value)}, python_type: <class '${getPythonType(value)}'>`;
			return `Invalid value for parameter ${name}, ${types}, value: ${toPythonStr(value)}`;
		}
		if (expected === 'string' && options.length > 0 && !options.includes(value as string)) {
			return `Invalid \`select\` value for parameter ${name}`;
		}
	}
	return found ? null : 'Failed to extract result from function call or text response, using empty result.';
}

/** Converts a value to the parameter's type if possible; returns the type's empty value otherwise. */
export function toParameterValue({ type }: Parameter, value: unknown): unknown {
	const item = getItemType(type);
	if (item !== undefined) {
		const convert =
			item === 'boolean'
				? (entry: unknown) => (typeof entry === 'boolean' ? entry : undefined)
				: (entry: unknown) => convertValue(item, entry);
		return Array.isArray(value) ? value.map(convert).filter(entry => entry !== undefined) : [];
	}
	return convertValue(toSegmentType(type), value) ?? getEmptyParameter(type);
}

function convertValue(type: string, value: unknown): unknown {
	switch (type) {
		case 'number':
			return toParameterNumber(value);
		case 'boolean':
			return typeof value === 'boolean' || Number.isInteger(value) ? Boolean(value) : undefined;
		case 'object':
			return isObjectValue(value) ? value : undefined;
		default:
			return typeof value === 'string' ? value : undefined;
	}
}

function toParameterNumber(value: unknown): number | undefined {
	if (typeof value === 'string') {
		return value.includes('.') ? parsePythonFloat(value) : parsePythonInt(value);
	}
	return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : undefined;
}

function isOfType(type: string, value: unknown): boolean {
	const item = getItemType(type);
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

function getItemType(type: string): string | undefined {
	return /^array\[(.+)\]$/.exec(type)?.[1];
}

/** Converts the type names of older files. */
function toSegmentType(type: string): string {
	return { bool: 'boolean', select: 'string' }[type] ?? type;
}

/** Returns the value of a parameter that wasn't found (workflow DSL, "parameter-extractor"). */
function getEmptyParameter(type: string): unknown {
	if (type.startsWith('array')) {
		return [];
	}
	return { number: 0, bool: false, boolean: false, object: {} }[type] ?? '';
}

/** Returns the JSON schema of the reply. */
export function buildReplySchema(parameters: readonly Parameter[]): Record<string, unknown> {
	return {
		type: 'object',
		properties: Object.fromEntries(parameters.map(parameter => [parameter.name, buildValueSchema(parameter)])),
		required: parameters.filter(({ required }) => required).map(({ name }) => name),
		additionalProperties: false,
	};
}

function buildValueSchema({ type, description, options }: Parameter): Record<string, unknown> {
	const item = /^array\[(.+)\]$/.exec(type)?.[1];
	return {
		...(item ? { type: 'array', items: { type: toSchemaType(item) } } : { type: toSchemaType(type) }),
		...(description && { description }),
		...(options.length > 0 && { enum: options }),
	};
}

function toSchemaType(type: string): string {
	return { number: 'number', bool: 'boolean', boolean: 'boolean', object: 'object' }[type] ?? 'string';
}
