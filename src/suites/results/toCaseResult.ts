import { isRecord } from '#base/records/plainValues.ts';
import type { CaseResult, UsedAmounts } from './caseResult.ts';

const outcomes: readonly unknown[] = ['passed', 'failed', 'not-run'] satisfies CaseResult['outcome'][];

/** Values of fields that results from elsewhere may lack. */
const defaults = {
	name: '',
	place: { file: '', offset: 0, length: 0, line: 1, column: 1 },
	outcome: 'not-run',
	score: 0,
	inputs: {},
	outputs: {},
	checks: [],
	startedAt: 0,
	seconds: 0,
};

/**
 * Reads the result of a case from a result file, which can be from another machine or damaged. Fills in fields that are missing; `undefined`
 * if a field has the wrong type, because such a result would count as if it had been measured.
 */
export function toCaseResult(value: unknown): CaseResult | undefined {
	if (isCaseResult(value)) {
		return value;
	}
	const completed = isRecord(value) ? { ...defaults, ...value } : undefined;
	return isCaseResult(completed) ? completed : undefined;
}

function isCaseResult(value: unknown): value is CaseResult {
	if (!isRecord(value)) {
		return false;
	}
	const { ordinal, name, row, rowHash, variant, fault, place, outcome, score, run, inputs, outputs, checks, startedAt, seconds } = value;
	return (
		Number.isSafeInteger(ordinal) &&
		(ordinal as number) >= 0 &&
		typeof name === 'string' &&
		(row === undefined || Number.isSafeInteger(row)) &&
		isTextOrAbsent(rowHash) &&
		isTextOrAbsent(variant) &&
		isTextOrAbsent(fault) &&
		outcomes.includes(outcome) &&
		[score, startedAt, seconds].every(Number.isFinite) &&
		[place, inputs, outputs].every(isRecord) &&
		isRepeated(value['repeated']) &&
		isUsed(value['used']) &&
		(run === undefined || isRun(run)) &&
		Array.isArray(checks) &&
		checks.every(isCheck)
	);
}

function isRepeated(value: unknown): boolean {
	return value === undefined || (isRecord(value) && Number(value['runs']) > 0 && Number(value['passed']) <= Number(value['runs']));
}

function isUsed(value: unknown): boolean {
	const amounts = ['tokens', 'userTokens', 'judgeTokens', 'cost'] satisfies (keyof UsedAmounts)[];
	return value === undefined || (isRecord(value) && amounts.every(name => Number.isFinite(value[name])));
}

function isRun(value: unknown): boolean {
	return (
		isRecord(value) &&
		[value['seconds'], value['tokens']].every(Number.isFinite) &&
		[value['cost'], value['userTokens']].every(amount => amount === undefined || Number.isFinite(amount)) &&
		[value['error'], value['currency'], value['id']].every(isTextOrAbsent)
	);
}

function isCheck(value: unknown): boolean {
	return (
		isRecord(value) &&
		typeof value['name'] === 'string' &&
		typeof value['kind'] === 'string' &&
		typeof value['passed'] === 'boolean' &&
		[value['score'], value['weight']].every(Number.isFinite) &&
		isTextOrAbsent(value['message']) &&
		(value['judgeTokens'] === undefined || Number.isFinite(value['judgeTokens'])) &&
		(value['judge'] === undefined || isJudge(value['judge']))
	);
}

function isJudge(value: unknown): boolean {
	return isRecord(value) && [value['name'], value['model'], value['key']].every(field => typeof field === 'string');
}

function isTextOrAbsent(value: unknown): boolean {
	return value === undefined || typeof value === 'string';
}
