import { containsText } from '#base/text/containsText.ts';
import { NodeError } from '../nodes/nodeType.ts';

/** Selects the documents to search by their metadata. */
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
 * True if a document's metadata match a filter that {@link checkFilter} accepted. As in Dify, conditions without a comparison value are
 * ignored, and a document without the field matches only `empty` and the negations.
 */
export function meets({ join, conditions }: MetadataFilter, metadata: Readonly<Record<string, unknown>>): boolean {
	const asked = conditions.filter(
		({ operator, value }) => withoutValue.has(operator) || (value !== null && value !== undefined && value !== ''),
	);
	const check = (condition: MetadataCondition) => conditionMet(condition, metadata);
	return asked.length === 0 || (join === 'and' ? asked.every(check) : asked.some(check));
}

const withoutValue = new Set(['empty', 'not empty']);

type Check = (actual: unknown, expected: unknown) => boolean;

const text = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value)).toLowerCase();
const texts = (actual: unknown, holds: (actual: string) => boolean): boolean =>
	Array.isArray(actual) ? actual.some(each => holds(text(each))) : holds(text(actual));
const ordered =
	(holds: (difference: number) => boolean): Check =>
	(actual, expected) => {
		const [left, right] = [numberOf(actual), numberOf(expected)];
		return left !== undefined && right !== undefined && holds(left - right);
	};

const contains: Check = (actual, expected) => texts(actual, each => containsText(each, text(expected)));
const is: Check = (actual, expected) => {
	const [left, right] = [numberOf(actual), numberOf(expected)];
	return left !== undefined && right !== undefined ? left === right : texts(actual, each => each === text(expected));
};
const isIn: Check = (actual, expected) => valuesOf(expected).some(value => is(actual, value));
const isEmpty = (value: unknown): boolean =>
	value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const checks: Readonly<Record<string, Check>> = {
	contains,
	'start with': (actual, expected) => texts(actual, each => each.startsWith(text(expected))),
	'end with': (actual, expected) => texts(actual, each => each.endsWith(text(expected))),
	is,
	'=': is,
	in: isIn,
	before: ordered(difference => difference < 0),
	after: ordered(difference => difference > 0),
	'<': ordered(difference => difference < 0),
	'>': ordered(difference => difference > 0),
	'≤': ordered(difference => difference <= 0),
	'<=': ordered(difference => difference <= 0),
	'≥': ordered(difference => difference >= 0),
	'>=': ordered(difference => difference >= 0),
};

/** Operators that are the negation of another one. */
const negations: Readonly<Record<string, Check>> = { 'not contains': contains, 'is not': is, '≠': is, 'not in': isIn };

/** All operators in the notation of Dify's files. */
export const filterOperators: readonly string[] = [...Object.keys(checks), ...Object.keys(negations), ...withoutValue];

function conditionMet({ name, operator, value }: MetadataCondition, metadata: Readonly<Record<string, unknown>>): boolean {
	const actual = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
	if (withoutValue.has(operator)) {
		return isEmpty(actual) === (operator === 'empty');
	}
	const check = own(checks, operator);
	if (check) {
		return !isEmpty(actual) && check(actual, value);
	}
	const negated = own(negations, operator);
	return negated !== undefined && (isEmpty(actual) || !negated(actual, value));
}

function own<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
	return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Returns a list unchanged, or splits a comma-separated string. */
function valuesOf(expected: unknown): readonly unknown[] {
	return Array.isArray(expected)
		? expected
		: String(expected)
				.split(',')
				.map(each => each.trim());
}

/** Converts numbers and numeric strings. Dates are seconds since 1970, which is how Dify stores them. */
function numberOf(value: unknown): number | undefined {
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
