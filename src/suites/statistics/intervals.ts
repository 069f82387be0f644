import { getTQuantile } from './studentT.ts';

/** A value with its 95 % interval. */
export interface Interval {
	readonly low: number;
	readonly high: number;
}

/** Quantile 0.975 of the normal distribution. */
export const z = 1.959963984540054;

/** Runs of one case: the sum of their values, for example the number of passed runs, and their count. */
export interface CaseSum {
	readonly sum: number;
	readonly runs: number;
}

/** Outcomes of the same cases in two variants, or for two people or judges. */
export interface PairedCounts {
	readonly both: number;
	readonly onlyFirst: number;
	readonly onlySecond: number;
	readonly neither: number;
}

/** Computes Wilson's interval of a rate. Without cases, it's from 0 to 1. */
export function computeWilsonInterval(passed: number, cases: number): Interval {
	if (cases === 0) {
		return { low: 0, high: 1 };
	}
	const rate = passed / cases;
	const center = rate + (z * z) / (2 * cases);
	const half = z * Math.sqrt((rate * (1 - rate)) / cases + (z * z) / (4 * cases * cases));
	const scale = 1 + (z * z) / cases;
	// rounding would otherwise leave 1e-17 at the ends
	return { low: passed === 0 ? 0 : (center - half) / scale, high: passed === cases ? 1 : (center + half) / scale };
}

/**
 * Computes the interval of the mean over the runs of cases, with a standard error that is clustered by case, because the runs of a case
 * resemble each other. `undefined` for fewer than two cases.
 */
export function computeClusteredInterval(cases: readonly CaseSum[]): Interval | undefined {
	const count = cases.length;
	const runs = cases.reduce((sum, each) => sum + each.runs, 0);
	if (count < 2) {
		return undefined;
	}
	const mean = cases.reduce((total, { sum }) => total + sum, 0) / runs;
	const squares = cases.reduce((total, each) => total + (each.sum - each.runs * mean) ** 2, 0);
	const half = (getTQuantile(count - 1) * Math.sqrt((count / (count - 1)) * squares)) / runs;
	return { low: mean - half, high: mean + half };
}

/** Computes Newcombe's interval of the difference between two rates of the same cases (second minus first; his method 10). */
export function computeNewcombeInterval({ both, onlyFirst, onlySecond, neither }: PairedCounts): Interval {
	const cases = both + onlyFirst + onlySecond + neither;
	if (cases === 0) {
		return { low: -1, high: 1 };
	}
	const [passed, otherPassed] = [both + onlyFirst, both + onlySecond];
	const [first, second] = [passed / cases, otherPassed / cases];
	const [around, otherAround] = [computeWilsonInterval(passed, cases), computeWilsonInterval(otherPassed, cases)];
	const product = passed * (cases - passed) * otherPassed * (cases - otherPassed);
	const excess = both * neither - onlyFirst * onlySecond;
	const phi = product === 0 ? 0 : (excess > 0 ? Math.max(excess - cases / 2, 0) : excess) / Math.sqrt(product);
	const combine = (one: number, other: number) => Math.sqrt(one * one - 2 * phi * one * other + other * other);
	return {
		low: second - first - combine(second - otherAround.low, around.high - first),
		high: second - first + combine(otherAround.high - second, first - around.low),
	};
}
