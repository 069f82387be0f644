import { getOwnField } from '#base/records/ownField.ts';
import type { SuiteHistoryEntry } from './history.ts';

/** Unit of the numbers of a metric. */
type TrendUnit = 'share' | 'seconds' | 'tokens' | 'cost';

/** A metric over the entries of a history. */
export interface TrendLine {
	/** `passed`, `score`, `p50`, `p95`, `tokens` and `cost` (both per case), or the name of a check. */
	readonly name: string;
	readonly isCheck: boolean;
	readonly unit: TrendUnit;
	/** A value for each entry; `undefined` if an entry has none. */
	readonly values: readonly (number | undefined)[];
}

/** Why an entry can't be compared with the one before. */
type TrendBreak = 'cases' | 'judges';

/** Returns a line for each metric that some entry has. */
export function createTrendLines(entries: readonly SuiteHistoryEntry[]): readonly TrendLine[] {
	const perCase = (entry: SuiteHistoryEntry, value: number) => (entry.cases > 0 ? value / entry.cases : undefined);
	const createLine = (name: string, unit: TrendUnit, getValue: (entry: SuiteHistoryEntry) => number | undefined): TrendLine => ({
		name,
		isCheck: false,
		unit,
		values: entries.map(getValue),
	});
	const checks = new Set(entries.flatMap(({ checks: rates = {} }) => Object.keys(rates)));
	const lines = [
		createLine('passed', 'share', ({ passed, failed }) => (passed + failed > 0 ? passed / (passed + failed) : undefined)),
		createLine('score', 'share', ({ score, passed, failed }) => (passed + failed > 0 ? score : undefined)),
		createLine('p50', 'seconds', ({ p50 }) => p50),
		createLine('p95', 'seconds', ({ p95 }) => p95),
		createLine('tokens', 'tokens', entry => perCase(entry, entry.tokens)),
		createLine('cost', 'cost', entry => perCase(entry, entry.cost)),
		...[...checks].sort().map(name => ({
			...createLine(name, 'share', ({ checks: rates = {} }) => getOwnField(rates, name)),
			isCheck: true,
		})),
	];
	return lines.filter(({ unit, values }) =>
		values.some(value => value !== undefined && (unit === 'share' || unit === 'seconds' || value > 0)),
	);
}

/** Returns why the entry at this index can't be compared with the one before; `undefined` if it can. */
export function findTrendBreak(entries: readonly SuiteHistoryEntry[], at: number): TrendBreak | undefined {
	const [before, entry] = [entries[at - 1], entries[at]];
	if (!before || !entry) {
		return undefined;
	}
	return before.keys !== entry.keys ? 'cases' : before.judges !== entry.judges ? 'judges' : undefined;
}
