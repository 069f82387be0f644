import { computePerCase, type TrendBreak, type TrendLine } from '#suites/gate/trend.ts';
import { computeWilsonInterval } from '#suites/statistics/intervals.ts';
import { fill } from '../../shared/fill.ts';
import { formatDateTime, formatMoment, formatNumber } from '../../shared/format.ts';
import { formatMoney } from '../../shared/moneyText.ts';
import type { Column, TableLook } from '../../shared/table/columns.ts';
import { formatRange, formatSeconds, formatShare } from '../figures.ts';
import type { ResultsStrings } from '../resultsStrings.ts';
import type { ShownEntry } from './trendMessages.ts';

/** A row of the table of entries. */
export interface TrendRow {
	readonly id: string;
	/** Index of the entry in the order of time. */
	readonly at: number;
	readonly entry: ShownEntry;
	/** Why the entry can't be compared with the one before. */
	readonly changed: TrendBreak | undefined;
}

/** Defines the table of the entries of a history. */
export function createTrendTable(strings: ResultsStrings): TableLook<TrendRow> {
	const { trend } = strings;
	const createFigure = (id: string, label: string, rank: number, format: (entry: ShownEntry) => string): Column<TrendRow> => ({
		id,
		label,
		width: 104,
		rank,
		isOptional: true,
		css: 'figure',
		formatCell: ({ entry }) => format(entry),
	});
	const formatOptional = (seconds: number | undefined) => (seconds === undefined ? '' : formatSeconds(seconds, strings));
	return {
		label: trend.entries,
		rowCss: 'trendRow',
		strings,
		columns: [
			{
				id: 'date',
				label: trend.columns.date,
				width: 136,
				rank: 0,
				css: 'time',
				formatCell: ({ entry: { at } }) => ({ text: formatMoment(Date.parse(at)), title: formatDateTime(Date.parse(at)) }),
			},
			{
				id: 'passRate',
				label: trend.metrics.passed,
				width: 64,
				rank: 0,
				css: 'figure',
				formatCell: ({ entry: { passed, failed } }) =>
					passed + failed > 0
						? {
								text: formatShare(passed / (passed + failed)),
								title: fill(trend.interval, formatRange(computeWilsonInterval(passed, passed + failed), strings)),
							}
						: '',
			},
			{
				id: 'cases',
				label: trend.columns.cases,
				width: 56,
				rank: 5,
				css: 'figure',
				formatCell: ({ entry: { cases, passed, failed, notRun } }) => ({
					text: formatNumber(cases),
					title: fill(strings.counts, formatNumber(passed), formatNumber(failed), formatNumber(notRun)),
				}),
			},
			createFigure('score', trend.metrics.score, 6, ({ passed, failed, score }) => (passed + failed > 0 ? formatShare(score) : '')),
			createFigure('p50', trend.metrics.p50, 8, ({ p50 }) => formatOptional(p50)),
			createFigure('p95', trend.metrics.p95, 4, ({ p95 }) => formatOptional(p95)),
			createFigure('caseTokens', trend.metrics.tokens, 9, entry => formatCount(computePerCase(entry, entry.tokens) ?? 0)),
			createFigure('caseCost', trend.metrics.cost, 7, entry => formatCost(computePerCase(entry, entry.cost) ?? 0, entry.currency)),
			{
				id: 'commit',
				label: trend.columns.commit,
				width: 72,
				rank: 3,
				isOptional: true,
				formatCell: ({ entry: { commit = '' } }) => ({ text: commit.slice(0, 8), title: commit }),
			},
			{
				id: 'stored',
				label: trend.columns.stored,
				width: 64,
				rank: 10,
				isOptional: true,
				formatCell: ({ entry }) => (entry.batch === undefined ? { text: '', title: trend.notStored } : trend.stored),
			},
			{
				id: 'note',
				label: trend.columns.note,
				width: 120,
				grow: 1,
				rank: 2,
				isOptional: true,
				formatCell: row => formatNote(row, strings),
			},
		],
	};
}

function formatNote({ entry, changed }: TrendRow, { trend }: ResultsStrings) {
	const texts = [...(changed ? [trend.breaks[changed]] : []), ...(isInFuture(entry) ? [trend.inFuture] : [])];
	return { text: texts.join(' · '), title: [...(changed ? [trend.breakHints[changed]] : []), ...texts.slice(changed ? 1 : 0)].join(' ') };
}

/** True if the clock of the computer that added an entry, or that of this one, is wrong. */
export function isInFuture({ at }: ShownEntry): boolean {
	return Date.parse(at) > Date.now();
}

/** Formats a value of a metric, or a difference of two. */
export function formatTrendValue(value: number, { unit, currency }: TrendLine, strings: ResultsStrings): string {
	switch (unit) {
		case 'share':
			return formatShare(value);
		case 'seconds':
			return value < 0 ? `-${formatSeconds(-value, strings)}` : formatSeconds(value, strings);
		case 'tokens':
			return formatNumber(value, { maximumFractionDigits: 0 });
		case 'cost':
			return formatCost(value, currency) || '0';
	}
}

function formatCount(count: number): string {
	return count > 0 ? formatNumber(count, { maximumFractionDigits: 0 }) : '';
}

/** Formats a cost, which may be in a currency that doesn't exist. */
function formatCost(cost: number, currency: string | undefined): string {
	if (cost === 0) {
		return '';
	}
	return currency !== undefined && /^[a-z]{3}$/i.test(currency)
		? formatMoney(cost, currency)
		: [formatNumber(cost, { maximumSignificantDigits: 3 }), ...(currency === undefined ? [] : [currency])].join(' ');
}
