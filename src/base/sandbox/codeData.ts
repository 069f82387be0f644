import { CodeFailure } from './codeFailure.ts';

/** Size limit in bytes for a program's inputs and for JavaScript outputs, as JSON. */
export const maxDataBytes = 16 * 1024 * 1024;

/**
 * Serializes the inputs of a program.
 * @throws {CodeFailure} before serializing, if the inputs are too large
 */
export function serializeInputs(inputs: Readonly<Record<string, unknown>>): string {
	if (subtractSize(inputs, maxDataBytes) >= 0) {
		const text = JSON.stringify(inputs);
		if (Buffer.byteLength(text) <= maxDataBytes) {
			return text;
		}
	}
	throw new CodeFailure(`The inputs of the code are larger than ${maxDataBytes / 1024 / 1024} MB`);
}

/** Subtracts the size of a value's strings from `left`, and at least one per value. Returns a negative number if the value is too large. */
function subtractSize(value: unknown, left: number): number {
	if (typeof value === 'string') {
		return left - value.length - 2;
	}
	if (typeof value !== 'object' || value === null) {
		return left - 1;
	}
	let rest = left - 2;
	if (Array.isArray(value)) {
		for (let i = 0; i < value.length && rest >= 0; i++) {
			rest = subtractSize(value[i], rest);
		}
		return rest;
	}
	for (const [name, each] of Object.entries(value)) {
		if (rest < 0) {
			break;
		}
		rest = subtractSize(each, rest - name.length);
	}
	return rest;
}
