import { joinCurrencies } from '#base/records/amount.ts';
import type { CaseResult, CaseRun } from '../results/caseResult.ts';
import type { ComparedVariants } from '../results/resultFile.ts';
import { averageRunAmounts } from '../results/resultSum.ts';
import { computeMean, estimatePassPower, getPercentile } from '../statistics/averages.ts';
import { bootstrapDifference, bootstrapMedianRatio } from '../statistics/bootstrap.ts';
import { computeClusteredInterval, computeNewcombeInterval, computeWilsonInterval, type Interval } from '../statistics/intervals.ts';
import { adjustByHolm, computeSignFlipP, decideVerdict, getDetectableDifference, type VariantVerdict } from '../statistics/pairedTests.ts';

/** The fields of a result that are compared. */
type ComparedResult = Pick<CaseResult, 'ordinal' | 'name' | 'row' | 'outcome' | 'score' | 'repeated' | 'used'> & {
	readonly run?: Pick<CaseRun, 'seconds' | 'tokens' | 'cost' | 'currency'>;
};

/** Results of a variant over all cases. */
export interface VariantSummary {
	readonly name: string;
	/** Number of cases with a result. Cases that couldn't run aren't counted. */
	readonly cases: number;
	readonly notRun: number;
	/** Share of passed runs, with its 95 % interval. */
	readonly rate: number;
	readonly interval: Interval;
	/** Mean score of the cases. */
	readonly score: number;
	/** Number of repeated cases that passed sometimes. */
	readonly flaky: number;
	/** Estimated share of cases that pass every time, for repeated cases (pass^k with k the number of runs). */
	readonly steady?: number;
	/** Durations of runs in seconds. Absent with cached replies. */
	readonly p50?: number;
	readonly p95?: number;
	readonly tokens: number;
	/** Cost of all runs; absent if the service doesn't report it. */
	readonly cost?: number;
	readonly costPerPass?: number;
	readonly currency?: string;
	/** Comparison with the baseline; absent for the baseline. */
	readonly versus?: VariantDifference;
}

/** How a variant differs from the baseline in the cases that both have results of. */
interface VariantDifference {
	readonly verdict: VariantVerdict;
	readonly cases: number;
	/** Difference of the pass rates, with its 95 % interval. */
	readonly difference: number;
	readonly interval?: Interval;
	/** p value, adjusted for the number of variants (Holm). */
	readonly p: number;
	/** Difference of rates that these cases can show with a power of 80 %. */
	readonly detectable: number;
	/** 95 % interval of the difference of mean scores. */
	readonly score?: Interval;
	/** 95 % intervals of the ratios of median durations and costs. Both and `score` are absent if only a summary was asked for. */
	readonly secondsRatio?: Interval;
	readonly costRatio?: Interval;
	/** Names of cases with fewer passed runs than in the baseline, and with more. */
	readonly worse: readonly string[];
	readonly better: readonly string[];
}

/** Comparison of the variants of a suite. */
export interface VariantComparison {
	readonly baseline: string;
	readonly variants: readonly VariantSummary[];
}

/** The compared values of a result. Tokens and cost are those of a run. */
interface Cell {
	readonly title: string;
	readonly passed: number;
	readonly runs: number;
	readonly score: number;
	readonly seconds: number;
	readonly tokens: number;
	readonly cost: number | undefined;
	readonly currency: string | undefined;
}

/** Results of a variant by case number. */
interface Column {
	readonly name: string;
	readonly cells: Map<number, Cell>;
	notRun: number;
}

/** Returns the ordinal of a case in a variant, so that each has one for itself. */
export function getVariantOrdinal(ordinal: number, variant: number, variants: readonly unknown[]): number {
	return ordinal * variants.length + variant;
}

/**
 * Compares the variants of a suite with the baseline. The same results give the same comparison, in any order.
 *
 * @param seed of the bootstrap, such as the fingerprint of the suite. Without it, the intervals that need one are left out: for hundreds of
 * cases, they take seconds.
 */
export async function compareVariants(
	results: AsyncIterable<ComparedResult> | Iterable<ComparedResult>,
	{ names, baseline, seed, cached }: ComparedVariants & { readonly seed?: string },
): Promise<VariantComparison> {
	const columns = names.map((name): Column => ({ name, cells: new Map(), notRun: 0 }));
	for await (const result of results) {
		addResult(columns[result.ordinal % columns.length]!, Math.floor(result.ordinal / columns.length), result);
	}
	const base = columns.find(({ name }) => name === baseline)!;
	const others = columns.filter(column => column !== base);
	const paired = new Map(others.map(column => [column, pairCells(base, column)]));
	const adjusted = adjustByHolm(others.map(column => computeSignFlipP(listDifferences(paired.get(column)!))));
	const variants = columns.map(column => ({
		...summarizeColumn(column, cached),
		...(column !== base && {
			versus: compareCells(paired.get(column)!, adjusted[others.indexOf(column)]!, {
				comparisons: others.length,
				seed: seed === undefined ? undefined : `${seed}\0${base.name}\0${column.name}`,
				cached,
			}),
		}),
	}));
	return { baseline, variants };
}

function addResult(column: Column, at: number, result: ComparedResult): void {
	const { name, row, outcome, score, run, repeated } = result;
	if (outcome === 'not-run' || !run) {
		column.notRun++;
		return;
	}
	const { passed, runs } = repeated ?? { passed: Number(outcome === 'passed'), runs: 1 };
	const { seconds, currency } = run;
	const { tokens, cost } = averageRunAmounts(result, run);
	column.cells.set(at, { title: row === undefined ? name : `${name} (row ${row})`, passed, runs, score, seconds, tokens, cost, currency });
}

function summarizeColumn({ name, cells, notRun }: Column, cached: boolean): VariantSummary {
	const all = [...cells.values()];
	const sums = all.map(({ passed, runs }) => ({ sum: passed, runs }));
	const [passed, runs] = [sumUp(all, cell => cell.passed), sumUp(all, cell => cell.runs)];
	const isRepeated = all.some(cell => cell.runs > 1);
	const clustered = isRepeated && passed > 0 && passed < runs ? computeClusteredInterval(sums) : undefined;
	const priced = all.filter(({ cost }) => cost !== undefined);
	const cost = sumUp(priced, cell => cell.cost! * cell.runs);
	const seconds = all.map(cell => cell.seconds);
	const currency = priced.reduce<string | undefined>((joined, cell) => joinCurrencies(joined, cell.currency), undefined);
	return {
		name,
		cases: all.length,
		notRun,
		rate: runs === 0 ? 0 : passed / runs,
		// if all runs had the same outcome, repeating them says nothing about how cases differ
		interval: clustered ? clampInterval(clustered) : computeWilsonInterval((passed / (runs || 1)) * all.length, all.length),
		score: all.length === 0 ? 0 : computeMean(all, cell => cell.score),
		flaky: all.filter(cell => cell.passed > 0 && cell.passed < cell.runs).length,
		...(isRepeated && {
			steady: estimatePassPower(
				sums,
				all.reduce((most, { runs: each }) => Math.max(most, each), 1),
			),
		}),
		...(!cached && all.length > 0 && { p50: getPercentile(seconds, 0.5)!, p95: getPercentile(seconds, 0.95)! }),
		tokens: Math.round(sumUp(all, cell => cell.tokens * cell.runs)),
		...(priced.length > 0 && { cost, ...(passed > 0 && { costPerPass: cost / passed }) }),
		...(currency !== undefined && { currency }),
	};
}

/** A case in the baseline and in another variant. */
type CellPair = readonly [first: Cell, second: Cell];

/** Pairs the cells that both variants have, in the order of the suite. */
function pairCells(base: Column, other: Column): readonly CellPair[] {
	return [...base.cells]
		.sort(([a], [b]) => a - b)
		.flatMap(([at, first]) => {
			const second = other.cells.get(at);
			return second ? [[first, second] as const] : [];
		});
}

/** Returns the differences of passed runs as whole numbers. */
function listDifferences(pairs: readonly CellPair[]): readonly number[] {
	return pairs.map(([first, second]) => second.passed * first.runs - first.passed * second.runs);
}

function compareCells(
	pairs: readonly CellPair[],
	p: number,
	{ comparisons, seed, cached }: { readonly comparisons: number; readonly seed: string | undefined; readonly cached: boolean },
): VariantDifference {
	const differences = listDifferences(pairs);
	const shares = pairs.map(([first, second]) => second.passed / second.runs - first.passed / first.runs);
	const interval = computeDifferenceInterval(pairs, shares);
	const getTitles = (isChosen: (difference: number) => boolean) =>
		pairs.filter((_, at) => isChosen(differences[at]!)).map(([{ title }]) => title);
	return {
		verdict: decideVerdict(differences, p, comparisons),
		cases: pairs.length,
		difference: pairs.length === 0 ? 0 : computeMean(shares, share => share),
		...(interval && { interval }),
		p,
		detectable: getDetectableDifference(pairs.length, differences.filter(each => each !== 0).length),
		...(seed !== undefined && bootstrapIntervals(pairs, seed, cached)),
		worse: getTitles(difference => difference < 0),
		better: getTitles(difference => difference > 0),
	};
}

function bootstrapIntervals(
	pairs: readonly CellPair[],
	seed: string,
	cached: boolean,
): Pick<VariantDifference, 'score' | 'secondsRatio' | 'costRatio'> {
	const score = bootstrapDifference(
		listPairs(pairs, cell => cell.score),
		`${seed}\0score`,
	);
	const secondsRatio = cached
		? undefined
		: bootstrapMedianRatio(
				listPairs(pairs, cell => cell.seconds),
				`${seed}\0seconds`,
			);
	const costRatio = pairs.every(([first, second]) => first.cost !== undefined && second.cost !== undefined)
		? bootstrapMedianRatio(
				listPairs(pairs, cell => cell.cost!),
				`${seed}\0cost`,
			)
		: undefined;
	return { ...(score && { score }), ...(secondsRatio && { secondsRatio }), ...(costRatio && { costRatio }) };
}

function computeDifferenceInterval(pairs: readonly CellPair[], shares: readonly number[]): Interval | undefined {
	if (pairs.some(([first, second]) => first.runs > 1 || second.runs > 1)) {
		return computeClusteredInterval(shares.map(sum => ({ sum, runs: 1 })));
	}
	const count = (isFirst: boolean, isSecond: boolean) =>
		pairs.filter(([first, second]) => first.passed > 0 === isFirst && second.passed > 0 === isSecond).length;
	return computeNewcombeInterval({
		both: count(true, true),
		onlyFirst: count(true, false),
		onlySecond: count(false, true),
		neither: count(false, false),
	});
}

const listPairs = (pairs: readonly CellPair[], getValue: (cell: Cell) => number) =>
	pairs.map(([first, second]) => [getValue(first), getValue(second)] as const);

const sumUp = (cells: readonly Cell[], getValue: (cell: Cell) => number) => cells.reduce((sum, cell) => sum + getValue(cell), 0);

const clampInterval = ({ low, high }: Interval): Interval => ({ low: Math.max(0, low), high: Math.min(1, high) });
