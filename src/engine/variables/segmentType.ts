import { isFileValue } from './fileValue.ts';
import { Float } from './float.ts';

/** Returns the hosted service's type of a value: `string`, `integer`, `array[file]`; empty and mixed lists are `array[any]`. */
export function getSegmentType(value: unknown): string {
	if (Array.isArray(value)) {
		const types = new Set(value.map(item => elementTypes[getSegmentType(item)] ?? 'any'));
		return `array[${types.size === 1 ? [...types][0] : 'any'}]`;
	}
	if (isFileValue(value)) {
		return 'file';
	}
	if (value instanceof Float) {
		return 'float';
	}
	switch (typeof value) {
		case 'number':
			return Number.isInteger(value) ? 'integer' : 'float';
		case 'string':
		case 'boolean':
			return typeof value as string;
		case 'object':
			return value === null ? 'none' : 'object';
		default:
			return 'none';
	}
}

const elementTypes: Readonly<Record<string, string>> = {
	string: 'string',
	integer: 'number',
	float: 'number',
	boolean: 'boolean',
	object: 'object',
	file: 'file',
};
