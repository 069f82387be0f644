import { getOwnField } from '#base/records/ownField.ts';
import { computeWilsonInterval, type Interval } from '../statistics/intervals.ts';
import { mostChecks, type SuiteHistoryEntry } from './historyEntry.ts';

/** The fields of a history entry that the metrics are computed from. */
export type TrendEntry = Omit<SuiteHistoryEntry, 'suite' | 'agents' | 'outcomes'>;

/** Unit of the numbers of a metric. */
type TrendUnit = 'share' | 'seconds' | 'tokens' | 'cost';

/** Names of the metrics besides the rates of checks; `tokens` and `cost` are per case. */
type TrendMetric = 'passed' | 'score' | 'p50' | 'p95' | 'tokens' | 'cost';

/** A metric over the entries of a history. */
export type TrendLine = {
	readonly unit: TrendUnit;
	/** Currency of costs, if known. */
	readonly currency?: string;
	/** A value for each entry; `undefined` if an entry has none. */
	readonly values: readonly (number | undefined)[];
	/** 95 % intervals of the values, for the share of passed cases. */
	readonly intervals?: readonly (Interval | undefined)[];
} & ({ readonly isCheck: false; readonly name: TrendMetric } | { readonly isCheck: true; readonly name: string });

/** Why an entry can't be compared with the one before. */
export type TrendBreak = 'cases' | 'judges';

/** The main values of a metric, and the range in which to draw it. */
export interface TrendSummary {
	readonly first: number;
	readonly latest: number;
	readonly lowest: number;
	readonly highest: number;
	readonly bottom: number;
	readonly top: number;
}

/** Groups entries by variant; those without one have the key `undefined` and come first. */
export function groupByVariant<Entry extends Pick<TrendEntry, 'variant'>>(
	entries: readonly Entry[],
): ReadonlyMap<string | undefined, readonly Entry[]> {
	const groups = Map.groupBy(entries, ({ variant }) => variant);
	return new Map([...groups].sort(([a], [b]) => Number(a !== undefined) - Number(b !== undefined)));
}

/** Returns the number of cases that ran. */
function countRan({ passed, failed }: Pick<TrendEntry, 'passed' | 'failed'>): number {
	return passed + failed;
}

/** Returns an amount of an entry for each case that ran, because the others used nothing; `undefined` if none ran. */
export function computePerCase(entry: Pick<TrendEntry, 'passed' | 'failed'>, amount: number): number | undefined {
	return countRan(entry) > 0 ? amount / countRan(entry) : undefined;
}

/** Returns a line for each metric that some entry has. */
export function createTrendLines(entries: readonly TrendEntry[]): readonly TrendLine[] {
	const createLine = (name: TrendMetric, unit: TrendUnit, getValue: (entry: TrendEntry) => number | undefined): TrendLine => ({
		name,
		isCheck: false,
		unit,
		values: entries.map(getValue),
	});
	const currency = entries.findLast(entry => entry.currency !== undefined)?.currency;
	// costs in another currency can't be compared
	const isComparable = (entry: TrendEntry) => entry.currency === undefined || entry.currency === currency;
	const lines: readonly TrendLine[] = [
		{
			...createLine('passed', 'share', entry => (countRan(entry) > 0 ? entry.passed / countRan(entry) : undefined)),
			intervals: entries.map(entry => (countRan(entry) > 0 ? computeWilsonInterval(entry.passed, countRan(entry)) : undefined)),
		},
		createLine('score', 'share', entry => (countRan(entry) > 0 ? entry.score : undefined)),
		createLine('p50', 'seconds', ({ p50 }) => p50),
		createLine('p95', 'seconds', ({ p95 }) => p95),
		createLine('tokens', 'tokens', entry => computePerCase(entry, entry.tokens)),
		{
			...createLine('cost', 'cost', entry => (isComparable(entry) ? computePerCase(entry, entry.cost) : undefined)),
			...(currency !== undefined && { currency }),
		},
		...listCheckNames(entries).map(
			(name): TrendLine => ({
				name,
				isCheck: true,
				unit: 'share',
				values: entries.map(({ checks: rates = {} }) => getOwnField(rates, name)),
			}),
		),
	];
	return lines.filter(({ unit, values }) =>
		values.some(value => value !== undefined && (unit === 'share' || unit === 'seconds' || value > 0)),
	);
}

/** Returns the names of the checks, sorted. If there are too many, those of later entries. */
function listCheckNames(entries: readonly TrendEntry[]): readonly string[] {
	const names = new Set<string>();
	for (const { checks = {} } of entries.toReversed()) {
		for (const name of Object.keys(checks)) {
			if (names.size < mostChecks) {
				names.add(name);
			}
		}
	}
	return [...names].sort();
}

/** Returns the main values of a line, which has at least one. */
export function summarizeTrendLine({ unit, values }: TrendLine): TrendSummary {
	const known = values.filter(value => value !== undefined);
	const [lowest, highest] = [known.reduce((least, value) => Math.min(least, value)), known.reduce((most, value) => Math.max(most, value))];
	return {
		first: known[0]!,
		latest: known.at(-1)!,
		lowest,
		highest,
		// from zero, and shares up to 1, so that a small difference looks small
		bottom: 0,
		top: unit === 'share' ? 1 : highest,
	};
}

/** Returns why the entry at this index can't be compared with the one before; `undefined` if it can. */
export function findTrendBreak(entries: readonly TrendEntry[], at: number): TrendBreak | undefined {
	const [before, entry] = [entries[at - 1], entries[at]];
	if (!before || !entry) {
		return undefined;
	}
	return before.keys !== entry.keys ? 'cases' : before.judges !== entry.judges ? 'judges' : undefined;
}
