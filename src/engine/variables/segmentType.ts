import { isFileValue } from './fileValue.ts';
import { Float } from './float.ts';

/** Type of a value as the hosted service has it: `string`, `integer`, `array[file]`; lists of several types, or of none, are `array[any]`. */
export function segmentType(value: unknown): string {
	if (Array.isArray(value)) {
		const types = new Set(value.map(item => elementTypes[segmentType(item)] ?? 'any'));
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
