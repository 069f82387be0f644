import { NodeError } from '../nodes/nodeError.ts';
import { Float, toFloatValue, toPlainValue } from './float.ts';
import { isObjectValue } from './objectValue.ts';
import { toPythonStr } from './pythonText.ts';

/** An operation of an assigner on a variable (workflow DSL, "assigner"). */
interface Assignment {
	readonly operation: string;
	/** The variable's type, as named by `getSegmentType`. */
	readonly type: string;
	/** The variable's current value. Numbers here, in inputs and in results can be a {@link Float}. */
	readonly current: unknown;
}

const numbers = ['number', 'integer', 'float'];
const scalars = ['string', 'boolean', 'object', ...numbers];
const arithmetic = ['+=', '-=', '*=', '/='];
const onLists = ['append', 'extend', 'remove-first', 'remove-last'];

/** Names of all operations, for any type of variable. */
export const operationNames: readonly string[] = ['over-write', 'clear', 'set', ...arithmetic, ...onLists];

/** Operations without input. */
export const withoutInput: ReadonlySet<string> = new Set(['clear', 'remove-first', 'remove-last']);

/**
 * Checks that an operation and its kind of input are valid for the variable's type.
 * @throws {NodeError} with the hosted service's messages
 */
export function checkOperation({ operation, type }: Omit<Assignment, 'current'>, inputType: 'variable' | 'constant'): void {
	if (!isOperationSupported(operation, type)) {
		throw createAssignerError(`Operation ${operation} is not supported for type ${type}`);
	}
	const taken =
		inputType === 'variable'
			? operation !== 'set' && !arithmetic.includes(operation)
			: scalars.includes(type) && (['over-write', 'set'].includes(operation) || arithmetic.includes(operation));
	if (!taken) {
		throw createAssignerError(`Input type ${inputType} is not supported for operation ${operation}`);
	}
}

function isOperationSupported(operation: string, type: string): boolean {
	if (arithmetic.includes(operation)) {
		return numbers.includes(type);
	}
	if (onLists.includes(operation)) {
		return type.startsWith('array[');
	}
	return operation === 'over-write' || operation === 'clear' || (operation === 'set' && scalars.includes(type));
}

/** Returns the value of a variable after an operation. @throws {NodeError} if the input isn't of the variable's type */
export function computeAssigned({ operation, type, current }: Assignment, given: unknown): unknown {
	const input = operation === 'set' && type === 'object' && typeof given === 'string' ? parseObject(given) : given;
	if (!withoutInput.has(operation) && !isValidInput(operation, type, input)) {
		throw createInputError(input);
	}
	switch (operation) {
		case 'clear':
			return getZeroValue(type);
		case 'append':
			return [...(current as unknown[]), toPlainValue(input)];
		case 'extend':
			return [...(current as unknown[]), ...(input as unknown[])];
		case 'remove-first':
			return (current as unknown[]).slice(1);
		case 'remove-last':
			return (current as unknown[]).slice(0, -1);
		case '+=':
			return calculateNumber(current, input, (a, b) => a + b);
		case '-=':
			return calculateNumber(current, input, (a, b) => a - b);
		case '*=':
			return calculateNumber(current, input, (a, b) => a * b);
		case '/=':
			// a float even if the division leaves no remainder, as in Python
			return toFloatValue(Number(toPlainValue(current)) / Number(toPlainValue(input)));
		default:
			return input;
	}
}

/** Calculates like Python: the result is a float if either operand is one. */
function calculateNumber(current: unknown, input: unknown, operation: (a: number, b: number) => number): unknown {
	const isFloat = [current, input].some(value => value instanceof Float || (typeof value === 'number' && !Number.isInteger(value)));
	const result = operation(Number(toPlainValue(current)), Number(toPlainValue(input)));
	return isFloat ? toFloatValue(result) : result;
}

/** Returns the value that `clear` sets. @throws {NodeError} for types that have no such value */
export function getZeroValue(type: string): unknown {
	if (numbers.includes(type)) {
		return 0;
	}
	if (type.startsWith('array[') && type !== 'array[file]') {
		return [];
	}
	const zero = { string: '', boolean: false, object: {} }[type];
	if (zero === undefined) {
		throw new NodeError(`unsupported variable type: ${type}`, 'WorkflowNodeError');
	}
	return zero;
}

function isValidInput(operation: string, type: string, input: unknown): boolean {
	if (numbers.includes(type)) {
		return isNumber(input) && !(operation === '/=' && Number(input) === 0);
	}
	const element = elementTests[type];
	if (element) {
		return operation === 'append' ? element(input) : Array.isArray(input) && input.every(element);
	}
	return scalarTests[type]?.(input) ?? false;
}

type Test = (value: unknown) => boolean;

/** Booleans count as numbers, as in Python. */
const isNumber: Test = value => typeof value === 'number' || typeof value === 'boolean' || value instanceof Float;
const isText: Test = value => typeof value === 'string';
const isBoolean: Test = value => typeof value === 'boolean';

const scalarTests: Readonly<Record<string, Test>> = { string: isText, boolean: isBoolean, object: isObjectValue };

const elementTests: Readonly<Record<string, Test>> = {
	'array[any]': value => isText(value) || isNumber(value) || isObjectValue(value),
	'array[string]': isText,
	'array[number]': isNumber,
	'array[object]': isObjectValue,
	'array[boolean]': isBoolean,
};

function parseObject(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw createInputError(text);
	}
}

function createInputError(value: unknown): NodeError {
	return createAssignerError(`Invalid input value ${toPythonStr(value)}`);
}

/** Creates an error without a type, as the hosted service does for errors that the node itself reports. */
export function createAssignerError(message: string): NodeError {
	return new NodeError(message, '');
}
