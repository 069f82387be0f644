import { isDeepEqual } from '#base/records/plainValues.ts';
import { containsText } from '#base/text/containsText.ts';
import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import type { CheckFields } from '../../suite.ts';
import type { CheckSubject } from '../checkSubject.ts';
import { describeChoice, describeContent, describeEnd, describeEquality, describeFullContent, describeStart } from '../expectations.ts';
import { parseJsonValue } from '../valuePath.ts';
import type { Show, Verdict } from '../verdict.ts';

/** Kinds that compare a value directly. */
type ComparisonKind = 'equals' | 'oneOf' | 'contains' | 'containsAll' | 'startsWith' | 'endsWith';

/** Checks `equals`, `oneOf`, `contains`, `containsAll`, `startsWith` or `endsWith`. `fromText`: see `CheckedRun`. */
export function checkComparison(kind: ComparisonKind, fields: CheckFields, subject: CheckSubject, fromText: boolean, show: Show): Verdict {
	const expected = fields[kind];
	const normalize = createNormalizer(fields);
	const actual = normalize(subject.value);
	const isSameValue = (one: unknown) => isEqual(actual, normalize(one), fromText);
	const holds = (() => {
		switch (kind) {
			case 'equals':
				return isSameValue(expected);
			case 'oneOf':
				return (expected as unknown[]).some(isSameValue);
			case 'contains':
				return containsValue(actual, normalize(expected), fromText);
			case 'containsAll':
				return (expected as unknown[]).every(each => containsValue(actual, normalize(each), fromText));
			case 'startsWith':
				return toCheckText(actual).startsWith(toCheckText(normalize(expected)));
			case 'endsWith':
				return toCheckText(actual).endsWith(toCheckText(normalize(expected)));
		}
	})();
	const missing = kind === 'containsAll' ? (expected as unknown[]).filter(each => !containsValue(actual, normalize(each), fromText)) : [];
	return {
		holds,
		expectation: describe[kind](
			subject.name,
			kind === 'oneOf' || kind === 'containsAll' ? (expected as unknown[]).map(show).join(', ') : show(expected),
			fields['not'] === true,
		),
		...(missing.length > 0 && missing.length < (expected as unknown[]).length
			? { found: localizable`Actual value: ${show(subject.value)}. Missing: ${missing.map(show).join(', ')}.` }
			: {}),
		...(kind === 'equals' ? { expected } : {}),
		actual: subject.value,
	};
}

/** Converts a value to a string: strings unchanged, other values as JSON. */
export function toCheckText(value: unknown): string {
	return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

/** Returns a function that applies `ignoreCase` and `trim` to the strings of a value. */
export function createNormalizer({ ignoreCase, trim }: CheckFields): (value: unknown) => unknown {
	const normalizeValue = (value: unknown): unknown => {
		if (typeof value === 'string') {
			const trimmed = trim === true ? value.trim() : value;
			return ignoreCase === true ? trimmed.toLowerCase() : trimmed;
		}
		if (Array.isArray(value)) {
			return value.map(normalizeValue);
		}
		return typeof value === 'object' && value !== null
			? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, normalizeValue(each)]))
			: value;
	};
	return ignoreCase === true || trim === true ? normalizeValue : value => value;
}

const describe: Readonly<Record<ComparisonKind, (subject: string, expected: string, not: boolean) => LocalizableMessage>> = {
	equals: describeEquality,
	oneOf: describeChoice,
	contains: describeContent,
	containsAll: describeFullContent,
	startsWith: describeStart,
	endsWith: describeEnd,
};

function isEqual(actual: unknown, expected: unknown, fromText: boolean): boolean {
	// values of a suite file have no prototype
	if (isDeepEqual(actual, expected)) {
		return true;
	}
	// spreadsheets write TRUE, and use an empty cell for no value
	return (
		fromText &&
		typeof expected === 'string' &&
		typeof actual !== 'string' &&
		(isDeepEqual(actual, parseJsonValue(expected) ?? parseJsonValue(expected.toLowerCase())) ||
			(expected === '' && (actual ?? null) === null))
	);
}

function containsValue(actual: unknown, part: unknown, fromText: boolean): boolean {
	return Array.isArray(actual) ? actual.some(each => isEqual(each, part, fromText)) : containsText(toCheckText(actual), toCheckText(part));
}
