import { containsText } from '#base/text/containsText.ts';
import { NodeError } from '../nodes/nodeError.ts';

/** Conditions on metadata that select the documents to search. */
export interface MetadataFilter {
	readonly join: 'and' | 'or';
	readonly conditions: readonly MetadataCondition[];
}

/** `operator` uses Dify's notation: contains, is, ≥, before, empty, … */
interface MetadataCondition {
	readonly name: string;
	readonly operator: string;
	readonly value: unknown;
}

/** @throws {NodeError} for an unknown operator */
export function checkFilter({ conditions }: MetadataFilter): void {
	const wrong = conditions.find(({ operator }) => !filterOperators.includes(operator));
	if (wrong) {
		throw new NodeError(
			`'${wrong.operator}' isn't a valid operator for the metadata condition on '${wrong.name}'. Expected one of ${filterOperators.join(', ')}.`,
			'KnowledgeRetrievalNodeError',
		);
	}
}

/**
 * True if a document's metadata matches a filter that {@link checkFilter} accepted. As in Dify, conditions without a comparison value are
 * ignored, and a document without the field matches only `empty` and the negations.
 */
export function isMetadataMatching({ join, conditions }: MetadataFilter, metadata: Readonly<Record<string, unknown>>): boolean {
	const asked = conditions.filter(
		({ operator, value }) => withoutValue.has(operator) || (value !== null && value !== undefined && value !== ''),
	);
	const checkCondition = (condition: MetadataCondition) => isConditionMet(condition, metadata);
	return asked.length === 0 || (join === 'and' ? asked.every(checkCondition) : asked.some(checkCondition));
}

const withoutValue = new Set(['empty', 'not empty']);

type Check = (actual: unknown, expected: unknown) => boolean;

const toLowerText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value)).toLowerCase();
const isAnyTextMatching = (actual: unknown, holds: (actual: string) => boolean): boolean =>
	Array.isArray(actual) ? actual.some(each => holds(toLowerText(each))) : holds(toLowerText(actual));
const createNumberCheck =
	(holds: (difference: number) => boolean): Check =>
	(actual, expected) => {
		const [left, right] = [parseNumber(actual), parseNumber(expected)];
		return left !== undefined && right !== undefined && holds(left - right);
	};

const isContainingText: Check = (actual, expected) => isAnyTextMatching(actual, each => containsText(each, toLowerText(expected)));
const isSameValue: Check = (actual, expected) => {
	const [left, right] = [parseNumber(actual), parseNumber(expected)];
	return left !== undefined && right !== undefined ? left === right : isAnyTextMatching(actual, each => each === toLowerText(expected));
};
const isInList: Check = (actual, expected) => listValues(expected).some(value => isSameValue(actual, value));
const isEmptyValue = (value: unknown): boolean =>
	value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const checks: Readonly<Record<string, Check>> = {
	contains: isContainingText,
	'start with': (actual, expected) => isAnyTextMatching(actual, each => each.startsWith(toLowerText(expected))),
	'end with': (actual, expected) => isAnyTextMatching(actual, each => each.endsWith(toLowerText(expected))),
	is: isSameValue,
	'=': isSameValue,
	in: isInList,
	before: createNumberCheck(difference => difference < 0),
	after: createNumberCheck(difference => difference > 0),
	'<': createNumberCheck(difference => difference < 0),
	'>': createNumberCheck(difference => difference > 0),
	'≤': createNumberCheck(difference => difference <= 0),
	'<=': createNumberCheck(difference => difference <= 0),
	'≥': createNumberCheck(difference => difference >= 0),
	'>=': createNumberCheck(difference => difference >= 0),
};

/** Operators that negate another operator, each with the check that it negates. */
const negations: Readonly<Record<string, Check>> = {
	'not contains': isContainingText,
	'is not': isSameValue,
	'≠': isSameValue,
	'not in': isInList,
};

/** All operators in the notation of Dify's files. */
export const filterOperators: readonly string[] = [...Object.keys(checks), ...Object.keys(negations), ...withoutValue];

function isConditionMet({ name, operator, value }: MetadataCondition, metadata: Readonly<Record<string, unknown>>): boolean {
	const actual = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
	if (withoutValue.has(operator)) {
		return isEmptyValue(actual) === (operator === 'empty');
	}
	const check = getOwnCheck(checks, operator);
	if (check) {
		return !isEmptyValue(actual) && check(actual, value);
	}
	const negated = getOwnCheck(negations, operator);
	return negated !== undefined && (isEmptyValue(actual) || !negated(actual, value));
}

function getOwnCheck<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
	return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Returns a list unchanged, or splits a comma-separated string. */
function listValues(expected: unknown): readonly unknown[] {
	return Array.isArray(expected)
		? expected
		: String(expected)
				.split(',')
				.map(each => each.trim());
}

/** Converts numbers and numeric strings to numbers. Dates are seconds since 1970, as Dify stores them. */
function parseNumber(value: unknown): number | undefined {
	if (typeof value === 'number') {
		return value;
	}
	if (typeof value !== 'string' || value.trim() === '') {
		return undefined;
	}
	const number = Number(value);
	if (!Number.isNaN(number)) {
		return number;
	}
	const ms = /^\d{4}-\d{2}-\d{2}/.test(value.trim()) ? Date.parse(value.trim()) : Number.NaN;
	return Number.isNaN(ms) ? undefined : ms / 1000;
}
