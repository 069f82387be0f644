import { formatQuantity } from '#base/text/quantity.ts';
import type { Interval } from '#suites/statistics/intervals.ts';
import type { VariantVerdict } from '#suites/statistics/pairedTests.ts';
import type { VariantComparison, VariantSummary } from '#suites/variants/compareVariants.ts';
import { toPlainLine } from '../output.ts';
import { formatCost, formatSeconds } from './amounts.ts';
import { alignRows } from './attackCells.ts';

/** Maximum number of named cases per variant. */
const mostNames = 20;

const verdicts: Readonly<Record<VariantVerdict, string>> = {
	better: 'better',
	worse: 'worse',
	'no-difference': 'no difference shown',
	'too-few': 'too few cases',
};

interface ComparisonColumn {
	readonly title: string;
	readonly getCell: (variant: VariantSummary) => string;
	readonly isShown?: (variant: VariantSummary) => boolean;
}

const columns: readonly ComparisonColumn[] = [
	{ title: 'variant', getCell: ({ name }) => name },
	{ title: 'cases', getCell: ({ cases }) => String(cases) },
	{ title: 'not run', getCell: ({ notRun }) => String(notRun), isShown: ({ notRun }) => notRun > 0 },
	{ title: 'passed (95 %)', getCell: ({ rate, interval }) => `${formatShare(rate)} % (${formatInterval(interval)})` },
	{ title: 'every run', getCell: ({ steady }) => (steady === undefined ? '' : `${formatShare(steady)} %`), isShown: hasSteady },
	{ title: 'flaky', getCell: ({ flaky }) => String(flaky), isShown: hasSteady },
	{
		title: 'difference (95 %)',
		getCell: ({ versus }) =>
			versus ? `${formatSigned(versus.difference)}${versus.interval ? ` (${formatInterval(versus.interval, formatSigned)})` : ''}` : '',
	},
	{ title: 'verdict', getCell: ({ versus }) => (versus ? `${verdicts[versus.verdict]}${formatP(versus.p)}` : 'baseline') },
	{ title: 'p50', getCell: ({ p50 }) => (p50 === undefined ? '' : formatSeconds(p50)), isShown: ({ p50 }) => p50 !== undefined },
	{ title: 'p95', getCell: ({ p95 }) => (p95 === undefined ? '' : formatSeconds(p95)), isShown: ({ p95 }) => p95 !== undefined },
	{ title: 'tokens', getCell: ({ tokens }) => tokens.toLocaleString('en-US'), isShown: ({ tokens }) => tokens > 0 },
	{ title: 'cost', getCell: ({ cost = 0, currency }) => formatCost(cost, currency), isShown: ({ cost = 0 }) => cost > 0 },
	{
		title: 'per pass',
		getCell: ({ costPerPass, currency }) => (costPerPass === undefined ? '' : formatCost(costPerPass, currency)),
		isShown: ({ cost = 0 }) => cost > 0,
	},
];

/** Returns the rows of a comparison's table, with the titles first. Columns without values are left out. */
export function createComparisonRows({ variants }: VariantComparison): readonly (readonly string[])[] {
	const shown = columns.filter(({ isShown }) => !isShown || variants.some(isShown));
	return [shown.map(({ title }) => title), ...variants.map(variant => shown.map(({ getCell }) => getCell(variant)))];
}

/** Returns sentences about the variants: the cases that changed, and the difference that the cases could show. */
export function describeChanges({ variants }: VariantComparison): readonly string[] {
	return variants.flatMap(({ name, versus }) =>
		versus
			? [
					...(versus.worse.length > 0 ? [`${name}: worse in ${formatNames(versus.worse)}`] : []),
					...(versus.better.length > 0 ? [`${name}: better in ${formatNames(versus.better)}`] : []),
					...(versus.verdict === 'no-difference' || versus.verdict === 'too-few'
						? [`${name}: ${formatQuantity(versus.cases, 'case')} can show a difference of ${formatShare(versus.detectable)} points`]
						: []),
				]
			: [],
	);
}

/** Formats a comparison as an aligned table for a terminal, with the changed cases below. */
export function formatComparison(comparison: VariantComparison): string {
	return [...alignRows(createComparisonRows(comparison)), ...describeChanges(comparison).map(toPlainLine)]
		.map(line => `  ${line}\n`)
		.join('');
}

function hasSteady({ steady }: VariantSummary): boolean {
	return steady !== undefined;
}

function formatNames(names: readonly string[]): string {
	const left = names.length - mostNames;
	return `${formatQuantity(names.length, 'case')}: ${names.slice(0, mostNames).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

const formatShare = (share: number) => (share * 100).toFixed(1);

const formatSigned = (share: number) => `${share > 0 ? '+' : ''}${formatShare(share)}`;

const formatInterval = ({ low, high }: Interval, formatEnd = formatShare) => `${formatEnd(low)} to ${formatEnd(high)}`;

const formatP = (p: number) => (p < 0.0001 ? ' (p < 0.0001)' : ` (p = ${p.toFixed(4)})`);
