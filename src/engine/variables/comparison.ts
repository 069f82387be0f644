import { isDeepStrictEqual } from 'node:util';
import { containsText } from '#base/text/containsText.ts';
import { NodeError } from '../nodes/nodeError.ts';
import { Float, toPlainValue } from './float.ts';
import { parsePythonFloat, parsePythonInt } from './pythonNumbers.ts';
import { getPythonType, toPythonRepr, toPythonStr } from './pythonText.ts';

type Compare = (actual: unknown, expected: unknown) => boolean;

/**
 * Compares two values like the hosted service (workflow DSL, table of operators).
 * @throws {NodeError} for unknown operators, and values of a type that the operator doesn't accept
 */
export function compareByOperator(operator: string, actual: unknown, expected: unknown): boolean {
	const operation = operators.get(operator);
	if (!operation) {
		throw createComparisonError(`Unsupported operator: ${operator}`);
	}
	return operation(operator === '=' || operator === '≠' ? actual : toPlainValue(actual), expected);
}

const isContaining: Compare = (actual, expected) => {
	if (isFalsyInPython(actual)) {
		return false;
	}
	if (typeof actual === 'string') {
		return containsText(actual, toPythonStr(expected));
	}
	if (!Array.isArray(actual)) {
		throw createComparisonError('Invalid actual value type: string or array');
	}
	return includesItem(actual, expected);
};

const isStartingWith: Compare = (actual, expected) =>
	!isFalsyInPython(actual) && requireText(actual).startsWith(requireEdgeText(expected, 'startswith'));
const isEndingWith: Compare = (actual, expected) =>
	!isFalsyInPython(actual) && requireText(actual).endsWith(requireEdgeText(expected, 'endswith'));

const isSameScalar: Compare = (actual, expected) => {
	if (typeof actual !== 'string' && typeof actual !== 'boolean') {
		throw createComparisonError('Invalid actual value type: string or boolean');
	}
	return actual === expected;
};

/** Compares an integer with an integer, and a float with any number. */
const isEqualValue: Compare = (actual, expected) => {
	if (actual instanceof Float) {
		return actual.value === toFloat(expected);
	}
	if (typeof actual === 'boolean') {
		if (expected === null || typeof expected === 'object') {
			throw createComparisonError(`Cannot convert <class '${getPythonType(expected)}'> to bool`);
		}
		return actual === Boolean(expected);
	}
	if (typeof actual !== 'number') {
		throw createComparisonError('Invalid actual value type: number or boolean');
	}
	return actual === (Number.isInteger(actual) ? toWholeNumber(expected) : toFloat(expected));
};

const isInList: Compare = (actual, expected) => {
	if (!Array.isArray(expected)) {
		throw createComparisonError('Invalid expected value type: array');
	}
	return includesItem(expected, actual);
};

/** True if a list or string contains all expected strings or booleans (cases m18, m19). */
const isContainingAll: Compare = (actual, expected) => {
	const texts = Array.isArray(expected) && expected.every(item => typeof item === 'string');
	const booleans = Array.isArray(expected) && expected.every(item => typeof item === 'boolean');
	if (!texts && !booleans) {
		throw createComparisonError('all of operator expects homogeneous list of strings or booleans');
	}
	if (isFalsyInPython(actual)) {
		return false;
	}
	if (Array.isArray(actual)) {
		// strings and booleans only, for which a set gives the same result as pairwise comparison
		const known = new Set<unknown>(actual);
		return expected.every(item => known.has(item));
	}
	return texts && typeof actual === 'string' && hasAllParts(actual, expected);
};

/** Creates a numeric comparison. Booleans count as numbers (case m41). */
function createNumberComparison(test: (actual: number, expected: number) => boolean): Compare {
	return (actual, expected) => {
		if (actual === null) {
			return false;
		}
		if (typeof actual !== 'number' && typeof actual !== 'boolean') {
			throw createComparisonError('Invalid actual value type: number');
		}
		return test(Number(actual), toComparedNumber(expected));
	};
}

/** Wraps a comparison so that it is false for null. */
function createNonNullComparison(test: Compare): Compare {
	return (actual, expected) => actual !== null && test(actual, expected);
}

const operators: ReadonlyMap<string, Compare> = new Map<string, Compare>([
	['contains', isContaining],
	['not contains', (actual, expected) => !isContaining(actual, expected)],
	['start with', isStartingWith],
	['end with', isEndingWith],
	['is', createNonNullComparison(isSameScalar)],
	['is not', createNonNullComparison((actual, expected) => !isSameScalar(actual, expected))],
	['empty', isFalsyInPython],
	['not empty', actual => !isFalsyInPython(actual)],
	['null', actual => actual === null],
	['not null', actual => actual !== null],
	['in', (actual, expected) => !isFalsyInPython(actual) && isInList(actual, expected)],
	['not in', (actual, expected) => isFalsyInPython(actual) || !isInList(actual, expected)],
	['all of', isContainingAll],
	['=', createNonNullComparison(isEqualValue)],
	['≠', createNonNullComparison((actual, expected) => !isEqualValue(actual, expected))],
	['>', createNumberComparison((actual, expected) => actual > expected)],
	['<', createNumberComparison((actual, expected) => actual < expected)],
	['≥', createNumberComparison((actual, expected) => actual >= expected)],
	['≤', createNumberComparison((actual, expected) => actual <= expected)],
	['exists', actual => actual !== null],
	['not exists', actual => actual === null],
]);

/** Names of all operators, in the order in which editors offer them. */
export const operatorNames: readonly string[] = [...operators.keys()];

/** True if Python treats the value as false. */
export function isFalsyInPython(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) {
		return Object.keys(value).length === 0;
	}
	return !value;
}

function includesItem(list: readonly unknown[], item: unknown): boolean {
	return list.some(candidate => isDeepStrictEqual(candidate, item));
}

/** Maximum of a string's length times the number of parts to search for in it. */
export const mostSearched = 100_000_000;

function hasAllParts(text: string, parts: readonly string[]): boolean {
	checkSearch(text, parts);
	return parts.every(part => containsText(text, part));
}

/** @throws {NodeError} if searching the string for so many parts would take seconds */
export function checkSearch(text: string, parts: readonly unknown[]): void {
	if (text.length * parts.length > mostSearched) {
		throw createComparisonError(`${parts.length} values are too many to search for in a string of ${text.length} characters`);
	}
}

function requireText(value: unknown): string {
	if (typeof value !== 'string') {
		throw createComparisonError('Invalid actual value type: string');
	}
	return value;
}

function requireEdgeText(expected: unknown, operation: string): string {
	if (typeof expected !== 'string') {
		throw createComparisonError(`Expected value must be a string for ${operation}`);
	}
	return expected;
}

function toWholeNumber(value: unknown): number {
	if (typeof value === 'number' || typeof value === 'boolean') {
		return Math.trunc(Number(value));
	}
	if (typeof value !== 'string') {
		throw createComparisonError(`Cannot convert <class '${getPythonType(value)}'> to int`);
	}
	const number = parsePythonInt(value);
	if (number === undefined) {
		throw createComparisonError(`invalid literal for int() with base 10: ${toPythonRepr(value)}`);
	}
	return number;
}

function toFloat(value: unknown): number {
	if (typeof value === 'number' || typeof value === 'boolean') {
		return Number(value);
	}
	if (typeof value !== 'string') {
		throw createComparisonError(`Cannot convert <class '${getPythonType(value)}'> to float`);
	}
	const number = parsePythonFloat(value);
	if (number === undefined) {
		throw createComparisonError(`could not convert string to float: ${toPythonRepr(value)}`);
	}
	return number;
}

function toComparedNumber(value: unknown): number {
	const number =
		typeof value === 'string'
			? parsePythonFloat(value)
			: typeof value === 'number' || typeof value === 'boolean'
				? Number(value)
				: undefined;
	if (number === undefined) {
		throw createComparisonError(
			typeof value === 'string' ? `Cannot convert '${value}' to number` : `Cannot convert <class '${getPythonType(value)}'> to number`,
		);
	}
	return number;
}

/** Creates an error without a type, as the hosted service does for errors that the node itself reports. */
function createComparisonError(message: string): NodeError {
	return new NodeError(message, '');
}
