import { cutText } from '#base/text/cutText.ts';
import type { CaseView, CellFilter, CheckView, MatrixCell, MatrixView, ResultRow } from '#pages/results/resultsMessages.ts';
import { formatValuesOnOneLine } from '#runs/following/readableValue.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import type { ComparedVariants } from '#suites/results/resultFile.ts';
import type { VariantComparison } from '#suites/variants/compareVariants.ts';
import { isMatrixLineIn, type MatrixLine } from './matrixLines.ts';
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
	return run?.cost ? formatCost(run.cost, run.currency) : '';
}

/** Formats an amount with its currency, which can be any text of the service. */
export function formatCost(cost: number, currency = ''): string {
	return `${Number(cost.toPrecision(4))} ${currency}`.trim();
}

/** Converts the results of a case in all variants to a row of the table. */
export function toMatrixRow({ at, name, cells }: MatrixLine, getResult: (entry: IndexedResult) => CaseResult): ResultRow {
	return {
		id: `cells ${at}`,
		kind: 'cells',
		name: cutText(name, longestCell),
		cells: cells.map(entry => entry && toMatrixCell(getResult(entry))),
	};
}

function toMatrixCell({ ordinal, outcome, score, repeated, fault, run, outputs }: CaseResult): MatrixCell {
	const text = fault ?? formatFirstLine(outputs) ?? run?.error ?? '';
	return {
		id: String(ordinal),
		outcome,
		...(outcome !== 'not-run' && { score }),
		...(repeated && { repeated }),
		text: cutText(text, longestCell),
	};
}

/** Formats the first line of the only output, or all outputs on one line. `undefined` if there are none. */
function formatFirstLine(outputs: CaseResult['outputs']): string | undefined {
	const [first, ...others] = Object.values(outputs).filter(value => value !== null && value !== '');
	const text = typeof first === 'string' && others.length === 0 ? (/\S.*/.exec(first)?.[0] ?? '') : formatValuesOnOneLine(outputs);
	return text || undefined;
}

/** Converts a comparison to the columns of the table. */
export function toMatrixView({ variants, baseline }: VariantComparison, lines: readonly MatrixLine[], head: ComparedVariants): MatrixView {
	const count = (filter: CellFilter) => lines.filter(line => isMatrixLineIn(filter, line, head)).length;
	return {
		columns: variants.map(({ name, cases, rate, interval, p50, p95, cost, currency, versus }) => ({
			name,
			isBaseline: name === baseline,
			cases,
			rate,
			interval,
			...(p50 !== undefined && { p50 }),
			...(p95 !== undefined && { p95 }),
			cost: cost ? formatCost(cost, currency) : '',
			...(versus && {
				versus: {
					verdict: versus.verdict,
					difference: versus.difference,
					...(versus.interval && { interval: versus.interval }),
					p: versus.p,
				},
			}),
		})),
		cases: lines.length,
		counts: { differs: count('differs'), worse: count('worse'), flaky: count('flaky') },
	};
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
