import { NodeError } from '../nodes/nodeError.ts';
import { Float, toFloatValue } from '../variables/float.ts';
import { isObjectValue } from '../variables/objectValue.ts';
import { getPythonType } from '../variables/pythonText.ts';

/** An output that a code node declares. */
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
/** 2⁶³ − 1 for error messages, as text because a double can't represent this number exactly. */
const maxNumberText = '9223372036854775807';
const maxPrecision = 20;

/**
 * Checks the result of a program against the outputs that the node declares, in the hosted service's order and with its messages.
 * @throws {NodeError} for the first problem
 */
export function checkOutputs(result: unknown, declared: Readonly<Record<string, CodeOutput>>): Record<string, unknown> {
	if (!isObjectValue(result)) {
		throw createCodeError(`The result of main() must be an object, got ${getPythonType(result)} instead`);
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
		throw new NodeError(`Depth limit ${maxDepth} reached, object too deep.`, 'DepthLimitError');
	}
	const checked: Record<string, unknown> = {};
	for (const [name, output] of Object.entries(declared)) {
		const path = prefix ? `${prefix}.${name}` : name;
		if (!Object.hasOwn(result, name)) {
			throw createOutputError(`Output ${path} is missing.`);
		}
		checked[name] = checkValue(result[name], output, path, depth);
	}
	if (Object.keys(result).length !== Object.keys(checked).length) {
		throw createCodeError('Not all output parameters are validated.');
	}
	return checked;
}

function checkValue(value: unknown, { type, children }: CodeOutput, path: string, depth: number): unknown {
	if (value === null && knownTypes.has(type)) {
		return null;
	}
	switch (type) {
		case 'string':
			return checkString(value, path);
		case 'number':
			return value instanceof Float ? toFloatValue(checkNumber(value.value, path)) : checkNumber(value, path);
		case 'boolean':
			// the hosted service accepts any value here
			return value;
		case 'object':
			return checkObject(value, children, path, depth);
		case 'array[string]':
			return checkList(value, path, maxStringItems).map((item, index) => (item === null ? null : checkString(item, `${path}[${index}]`)));
		case 'array[number]':
			return checkNumbers(checkList(value, path, maxNumberItems), path);
		case 'array[boolean]':
			return checkBooleans(checkList(value, path), path);
		case 'array[object]':
			return checkObjects(checkList(value, path, maxObjectItems), children, path, depth);
		default:
			throw createOutputError(`Output type ${type} is not supported.`);
	}
}

const knownTypes = new Set(['string', 'number', 'boolean', 'object', 'array[string]', 'array[number]', 'array[boolean]', 'array[object]']);

function checkString(value: unknown, path: string): string {
	if (typeof value !== 'string') {
		throw createOutputError(`Output ${path} must be a string, got ${getPythonType(value)} instead.`);
	}
	if (value.length > maxString) {
		throw createOutputError(`The length of output variable \`${path}\` must be less than ${maxString} characters`);
	}
	return value.replaceAll('\u0000', '');
}

function checkNumber(value: unknown, path: string): number {
	if (typeof value === 'boolean') {
		return Number(value);
	}
	if (typeof value !== 'number') {
		throw createOutputError(`Output ${path} is not a number, got <class '${getPythonType(value)}'> instead.`);
	}
	if (!(Math.abs(value) <= maxNumber)) {
		throw createOutputError(`Output variable \`${path}\` is out of range, it must be between -${maxNumberText} and ${maxNumberText}.`);
	}
	if (countDecimals(value) > maxPrecision) {
		throw createOutputError(`Output variable \`${path}\` has too high precision, it must be less than ${maxPrecision} digits.`);
	}
	return value;
}

function countDecimals(value: number): number {
	const [, fraction = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
	return fraction.length - Number(exponent);
}

function checkNumbers(list: readonly unknown[], path: string): number[] {
	return list.map((item, index) => {
		if (typeof item !== 'number' && typeof item !== 'boolean') {
			throw createOutputError(`The element at index ${index} of output variable \`${path}\` must be a number.`);
		}
		return Number(item);
	});
}

function checkBooleans(list: readonly unknown[], path: string): readonly unknown[] {
	const wrong = list.findIndex(item => item !== null && typeof item !== 'boolean');
	if (wrong >= 0) {
		throw createOutputError(`Output ${path}[${wrong}] is not a boolean, got <class '${getPythonType(list[wrong])}'> instead.`);
	}
	return list;
}

/** Checks the type of every element before checking the contents of any. */
function checkObjects(list: readonly unknown[], children: CodeOutput['children'], path: string, depth: number): unknown[] {
	const wrong = list.findIndex(item => item !== null && !isObjectValue(item));
	if (wrong >= 0) {
		throw createOutputError(
			`Output ${path}[${wrong}] is not an object, got <class '${getPythonType(list[wrong])}'> instead at index ${wrong}.`,
		);
	}
	return list.map((item, index) => (item === null ? null : checkObject(item, children, `${path}[${index}]`, depth)));
}

function checkObject(value: unknown, children: CodeOutput['children'], path: string, depth: number): Record<string, unknown> {
	if (!isObjectValue(value)) {
		throw createOutputError(`Output ${path} is not an object, got <class '${getPythonType(value)}'> instead.`);
	}
	return children ? checkRecord(value, children, path, depth + 1) : cleanRecord(value, path, depth + 1);
}

/**
 * Checks the undeclared contents of an object: limits depth and length, requires lists of one element type, and removes NUL characters from
 * strings.
 */
function cleanRecord(value: Readonly<Record<string, unknown>>, path: string, depth: number): Record<string, unknown> {
	if (depth > maxDepth) {
		throw new NodeError(`Depth limit ${maxDepth} reached, object too deep.`, 'DepthLimitError');
	}
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleanValue(item, `${path}.${key}`, depth)]));
}

function cleanValue(value: unknown, path: string, depth: number): unknown {
	if (typeof value === 'string') {
		return checkString(value, path);
	}
	if (typeof value === 'number') {
		return checkNumber(value, path);
	}
	if (Array.isArray(value)) {
		if (!hasSameTypeItems(value)) {
			throw createOutputError(`Output ${path} is not a valid array. make sure all elements are of the same type.`);
		}
		return value.map((item, index) => cleanValue(item, `${path}[${index}]`, depth));
	}
	return isObjectValue(value) ? cleanRecord(value, path, depth + 1) : value;
}

/** True if all elements have the same type. A list that begins with null isn't checked. */
function hasSameTypeItems([first, ...others]: readonly unknown[]): boolean {
	const getItemKind = (item: unknown) => (Array.isArray(item) ? 'list' : typeof item === 'boolean' ? 'number' : typeof item);
	return first === undefined || first === null || others.every(item => item === null || getItemKind(item) === getItemKind(first));
}

function checkList(value: unknown, path: string, most = Number.POSITIVE_INFINITY): readonly unknown[] {
	if (!Array.isArray(value)) {
		throw createOutputError(`Output ${path} is not an array, got <class '${getPythonType(value)}'> instead.`);
	}
	if (value.length > most) {
		throw createOutputError(`The length of output variable \`${path}\` must be less than ${most} elements.`);
	}
	return value;
}

function createOutputError(message: string): NodeError {
	return new NodeError(message, 'OutputValidationError');
}

function createCodeError(message: string): NodeError {
	return new NodeError(message, 'CodeNodeError');
}
