import { isDeepStrictEqual } from 'node:util';
import { NodeError } from './nodes/nodeType.ts';

type Compare = (actual: unknown, expected: unknown) => boolean;

/**
 * Compares as the hosted service does (workflow DSL, table of operators).
 * @throws {NodeError} for operators it does not know, and values of a type that the operator does not take
 */
export function compare(operator: string, actual: unknown, expected: unknown): boolean {
	const operation = operators.get(operator);
	if (!operation) {
		throw new NodeError(`Unsupported operator: ${operator}`, 'ValueError');
	}
	return operation(actual, expected);
}

const contains: Compare = (actual, expected) => {
	if (isEmpty(actual)) {
		return false;
	}
	if (typeof actual === 'string') {
		if (typeof expected !== 'string') {
			throw fault('Expected value must be a string when the actual value is a string');
		}
		return actual.includes(expected);
	}
	if (!Array.isArray(actual)) {
		throw fault('Invalid actual value type: string or array');
	}
	return includes(actual, expected);
};

const startsWith: Compare = (actual, expected) => !isEmpty(actual) && text(actual).startsWith(String(expected));
const endsWith: Compare = (actual, expected) => !isEmpty(actual) && text(actual).endsWith(String(expected));

const isSame: Compare = (actual, expected) => {
	if (typeof actual !== 'string' && typeof actual !== 'boolean') {
		throw fault('Invalid actual value type: string or boolean');
	}
	return actual === expected;
};

const equals: Compare = (actual, expected) => {
	if (typeof actual === 'boolean') {
		return actual === Boolean(expected);
	}
	if (typeof actual !== 'number') {
		throw fault('Invalid actual value type: number or boolean');
	}
	return actual === (Number.isInteger(actual) ? wholeNumber(expected) : float(expected));
};

const isIn: Compare = (actual, expected) => {
	if (!Array.isArray(expected)) {
		throw fault('Invalid expected value type: array');
	}
	return includes(expected, actual);
};

const allOf: Compare = (actual, expected) => {
	if (isEmpty(actual)) {
		return false;
	}
	if (!Array.isArray(actual)) {
		throw fault('Invalid actual value type: array');
	}
	return Array.isArray(expected) && expected.every(item => includes(actual, item));
};

function ordered(test: (actual: number, expected: number) => boolean): Compare {
	return (actual, expected) => {
		if (actual === null) {
			return false;
		}
		if (typeof actual !== 'number') {
			throw fault('Invalid actual value type: number');
		}
		return test(actual, float(expected));
	};
}

/** Null is neither: such operators are false for it, whatever they compare. */
function unlessNull(test: Compare): Compare {
	return (actual, expected) => actual !== null && test(actual, expected);
}

const operators: ReadonlyMap<string, Compare> = new Map<string, Compare>([
	['contains', contains],
	['not contains', (actual, expected) => !contains(actual, expected)],
	['start with', startsWith],
	['end with', endsWith],
	['is', unlessNull(isSame)],
	['is not', unlessNull((actual, expected) => !isSame(actual, expected))],
	['empty', isEmpty],
	['not empty', actual => !isEmpty(actual)],
	['null', actual => actual === null],
	['not null', actual => actual !== null],
	['in', (actual, expected) => !isEmpty(actual) && isIn(actual, expected)],
	['not in', (actual, expected) => isEmpty(actual) || !isIn(actual, expected)],
	['all of', allOf],
	['=', unlessNull(equals)],
	['≠', unlessNull((actual, expected) => !equals(actual, expected))],
	['>', ordered((actual, expected) => actual > expected)],
	['<', ordered((actual, expected) => actual < expected)],
	['≥', ordered((actual, expected) => actual >= expected)],
	['≤', ordered((actual, expected) => actual <= expected)],
	['exists', actual => actual !== null],
	['not exists', actual => actual === null],
]);

/** Every operator, in the order in which it is offered. */
export const operatorNames: readonly string[] = [...operators.keys()];

/** What Python takes for false. */
export function isEmpty(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) {
		return Object.keys(value).length === 0;
	}
	return !value;
}

function includes(list: readonly unknown[], item: unknown): boolean {
	return list.some(candidate => isDeepStrictEqual(candidate, item));
}

function text(value: unknown): string {
	if (typeof value !== 'string') {
		throw fault('Invalid actual value type: string');
	}
	return value;
}

function wholeNumber(value: unknown): number {
	if (typeof value === 'number') {
		return Math.trunc(value);
	}
	if (typeof value !== 'string' || !/^\s*[+-]?\d+\s*$/.test(value)) {
		throw fault(`invalid literal for int() with base 10: '${value}'`);
	}
	return Number(value);
}

function float(value: unknown): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || Number.isNaN(number)) {
		throw fault(`could not convert string to float: '${value}'`);
	}
	return number;
}

function fault(message: string): NodeError {
	return new NodeError(message, 'ValueError');
}
