import { cutText } from '#base/text/cutText.ts';
import type { CaseView, CheckView, ResultRow } from '#pages/results/resultsMessages.ts';
import { formatValuesOnOneLine } from '#runs/following/readableValue.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import type { IndexedResult } from './resultIndex.ts';

/** Maximum length of a name or message in a row of the table, and of a value in the details of a case. */
const longestCell = 300;
const longestValue = 50_000;

/** Converts a result to a row of the table. */
export function toResultRow(result: CaseResult, { failure, change }: IndexedResult): ResultRow {
	const { ordinal, name, outcome, fault, inputs, outputs, checks, run } = result;
	const passed = checks.filter(check => check.passed).length;
	return {
		id: String(ordinal),
		kind: 'case',
		name: cutText(name, longestCell),
		outcome,
		inputs: formatValuesOnOneLine(inputs),
		outputs: formatValuesOnOneLine(outputs),
		checks: checks.length === 0 ? '' : `${passed}/${checks.length}`,
		failure: cutText(fault ?? run?.error ?? checks.find(check => !check.passed)?.message ?? failure, longestCell),
		...(run && { seconds: run.seconds }),
		tokens: run?.tokens ?? 0,
		cost: formatRunCost(run),
		...(change && { change }),
	};
}

/** Formats the cost of a run with its currency. Returns an empty string if the service reports no price. */
export function formatRunCost(run: CaseResult['run']): string {
	return run?.cost ? `${Number(run.cost.toPrecision(4))} ${run.currency ?? ''}`.trim() : '';
}

/** Converts a result to the details shown for a case. */
export function toCaseView(result: CaseResult, comparable: boolean): CaseView {
	const { ordinal, name, outcome, fault, run, inputs, outputs, checks } = result;
	return {
		id: String(ordinal),
		name,
		outcome,
		...(fault !== undefined && { fault }),
		...(run?.error && { error: run.error }),
		inputs: formatDetails(inputs),
		outputs: formatDetails(outputs),
		checks: checks.map(toCheckView),
		hasRun: run?.id !== undefined,
		comparable,
	};
}

function toCheckView(check: CaseResult['checks'][number]): CheckView {
	const { name, passed, message = '', snapshot } = check;
	return {
		name,
		passed,
		message,
		differs: !passed && 'expected' in check && 'actual' in check,
		acceptable: !passed && snapshot !== undefined,
	};
}

function formatDetails(values: object): string {
	return cutText(JSON.stringify(values, undefined, 2), longestValue);
}
