import { NodeError } from '../nodes/nodeType.ts';

/** Declared output of a code node. */
export interface CodeOutput {
	readonly type: string;
	readonly children?: Readonly<Record<string, CodeOutput>> | null | undefined;
}

/** Limits of the hosted service (workflow DSL, "code"). */
const maxString = 400_000;
const maxStringItems = 30;
const maxNumberItems = 1000;
const maxObjectItems = 30;
const maxDepth = 5;
const maxNumber = 2 ** 63 - 1;
const maxPrecision = 20;

/**
 * Checks what code returned against what the node declares, in the hosted service's order and with its texts.
 * @throws {NodeError} for the first fault
 */
export function checkOutputs(result: unknown, declared: Readonly<Record<string, CodeOutput>>): Record<string, unknown> {
	if (!isRecord(result)) {
		throw fault(`The result of main() must be an object, got ${typeName(result)} instead`);
	}
	return checkRecord(result, declared, '', 1);
}

function checkRecord(
	result: Readonly<Record<string, unknown>>,
	declared: Readonly<Record<string, CodeOutput>>,
	prefix: string,
	depth: number,
) {
	if (depth > maxDepth) {
		throw fault(`Depth limit ${maxDepth} reached, object too deep.`);
	}
	const checked: Record<string, unknown> = {};
	for (const [name, output] of Object.entries(declared)) {
		const path = prefix ? `${prefix}.${name}` : name;
		if (!Object.hasOwn(result, name)) {
			throw fault(`Output ${path} is missing.`);
		}
		checked[name] = checkValue(result[name], output, path, depth);
	}
	if (Object.keys(result).length !== Object.keys(checked).length) {
		throw fault('Not all output parameters are validated.');
	}
	return checked;
}

function checkValue(value: unknown, { type, children }: CodeOutput, path: string, depth: number): unknown {
	if (value === null) {
		return null;
	}
	switch (type) {
		case 'string':
			return checkString(value, path);
		case 'number':
			return checkNumber(value, path);
		case 'boolean':
			return checkBoolean(value, path);
		case 'object':
			return checkObject(value, children, path, depth);
		case 'array[string]':
			return checkList(value, path, maxStringItems, 'a string', isNullOr('string')).map((item, index) =>
				item === null ? null : checkString(item, `${path}[${index}]`),
			);
		case 'array[number]':
			return checkList(value, path, maxNumberItems, 'a number', item => item === null || isNumeric(item)).map((item, index) =>
				item === null ? null : checkNumber(item, `${path}[${index}]`),
			);
		case 'array[boolean]':
			return checkList(value, path, undefined, 'a boolean', isNullOr('boolean'));
		case 'array[object]':
			return checkList(value, path, maxObjectItems, 'an object', item => item === null || isRecord(item)).map((item, index) =>
				item === null ? null : checkObject(item, children, `${path}[${index}]`, depth + 1),
			);
		default:
			throw fault(`Output type ${type} is not supported.`);
	}
}

function checkString(value: unknown, path: string): string {
	if (typeof value !== 'string') {
		throw fault(`Output ${path} must be a string, got ${typeName(value)} instead`);
	}
	if (value.length > maxString) {
		throw fault(`The length of output variable \`${path}\` must be less than ${maxString} characters`);
	}
	return value.replaceAll('\u0000', '');
}

function checkNumber(value: unknown, path: string): number {
	if (typeof value === 'boolean') {
		return Number(value);
	}
	if (typeof value !== 'number') {
		throw fault(`Output ${path} must be a number, got ${typeName(value)} instead`);
	}
	if (!(Math.abs(value) <= maxNumber)) {
		throw fault(`Output variable \`${path}\` is out of range, it must be between ${-maxNumber} and ${maxNumber}.`);
	}
	if ((/\.(\d+)/.exec(String(value))?.[1]?.length ?? 0) > maxPrecision) {
		throw fault(`Output variable \`${path}\` has too high precision, it must be less than ${maxPrecision} digits.`);
	}
	return value;
}

function checkBoolean(value: unknown, path: string): boolean {
	if (typeof value !== 'boolean') {
		throw fault(`Output ${path} must be a boolean, got ${typeName(value)} instead`);
	}
	return value;
}

function checkObject(value: unknown, children: CodeOutput['children'], path: string, depth: number): Record<string, unknown> {
	if (!isRecord(value)) {
		throw fault(`Output ${path} is not an object, got ${typeName(value)} instead.`);
	}
	if (children && Object.keys(children).length > 0) {
		return checkRecord(value, children, path, depth + 1);
	}
	return cleaned(value, path, depth + 1) as Record<string, unknown>;
}

/** Undeclared contents of an object: bounded in depth and length, and without NUL characters. */
function cleaned(value: unknown, path: string, depth: number): unknown {
	if (depth > maxDepth && typeof value === 'object' && value !== null) {
		throw fault(`Depth limit ${maxDepth} reached, object too deep.`);
	}
	if (typeof value === 'string') {
		return checkString(value, path);
	}
	if (typeof value === 'number') {
		return checkNumber(value, path);
	}
	if (Array.isArray(value)) {
		return value.map((item, index) => cleaned(item, `${path}[${index}]`, depth + 1));
	}
	if (isRecord(value)) {
		return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleaned(item, `${path}.${key}`, depth + 1)]));
	}
	return value;
}

function checkList(
	value: unknown,
	path: string,
	most: number | undefined,
	what: string,
	fits: (item: unknown) => boolean,
): readonly unknown[] {
	if (!Array.isArray(value)) {
		throw fault(`Output ${path} is not an array, got ${typeName(value)} instead.`);
	}
	if (most !== undefined && value.length > most) {
		throw fault(`The length of output variable \`${path}\` must be less than ${most} elements.`);
	}
	const wrong = value.findIndex(item => !fits(item));
	if (wrong >= 0) {
		throw fault(`The element at index ${wrong} of output variable \`${path}\` must be ${what}.`);
	}
	return value;
}

function isNullOr(type: 'string' | 'boolean'): (item: unknown) => boolean {
	return item => item === null || typeof item === type;
}

function isNumeric(value: unknown): boolean {
	return typeof value === 'number' || typeof value === 'boolean';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Type names as the hosted service has them in its texts. */
function typeName(value: unknown): string {
	if (Array.isArray(value)) {
		return 'list';
	}
	switch (typeof value) {
		case 'string':
			return 'str';
		case 'number':
			return Number.isInteger(value) ? 'int' : 'float';
		case 'boolean':
			return 'bool';
		case 'object':
			return value === null ? 'NoneType' : 'dict';
		default:
			return 'NoneType';
	}
}

function fault(message: string): NodeError {
	return new NodeError(message, 'CodeNodeError');
}
