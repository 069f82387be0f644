import { computeMean } from './averages.ts';
import type { Interval } from './intervals.ts';
import { createIndexSource } from './randomIndex.ts';

const resamples = 2_000;

/** A value of a case in two variants. */
export type ValuePair = readonly [first: number, second: number];

/** Computes the 95 % interval of the mean difference (second minus first) by resampling cases. The same seed gives the same interval. */
export function bootstrapDifference(pairs: readonly ValuePair[], seed: string): Interval | undefined {
	const differences = pairs.map(([first, second]) => second - first);
	return bootstrapStatistic(differences.length, seed, chosen => computeMean(chosen, at => differences[at]!));
}

/** Computes the 95 % interval of the ratio of medians (second by first) by resampling cases. `undefined` if a median can be zero. */
export function bootstrapMedianRatio(pairs: readonly ValuePair[], seed: string): Interval | undefined {
	const [getFirst, getSecond] = [createMedianReader(pairs.map(([first]) => first)), createMedianReader(pairs.map(([, second]) => second))];
	return bootstrapStatistic(pairs.length, seed, chosen => getSecond(chosen) / getFirst(chosen));
}

function bootstrapStatistic(cases: number, seed: string, compute: (chosen: Uint32Array) => number): Interval | undefined {
	if (cases < 2) {
		return undefined;
	}
	const drawIndex = createIndexSource(seed);
	const chosen = new Uint32Array(cases);
	const values = new Float64Array(resamples);
	for (let round = 0; round < resamples; round++) {
		for (let at = 0; at < cases; at++) {
			chosen[at] = drawIndex(cases);
		}
		values[round] = compute(chosen);
	}
	if (!values.every(Number.isFinite)) {
		return undefined;
	}
	values.sort();
	return { low: interpolateQuantile(values, 0.025), high: interpolateQuantile(values, 0.975) };
}

function interpolateQuantile(sorted: Float64Array, share: number): number {
	const at = share * (sorted.length - 1);
	const low = sorted[Math.floor(at)]!;
	return low + (at - Math.floor(at)) * (sorted[Math.ceil(at)]! - low);
}

/** Returns a function for the median of chosen values. Counting by rank avoids sorting each sample. */
function createMedianReader(values: readonly number[]): (chosen: Uint32Array) => number {
	const sorted = Float64Array.from(values).sort();
	const rankOf = new Map(Array.from(sorted, (value, rank) => [value, rank]));
	const ranks = values.map(value => rankOf.get(value)!);
	const counts = new Uint32Array(sorted.length);
	return chosen => {
		counts.fill(0);
		for (const at of chosen) {
			counts[ranks[at]!]!++;
		}
		const findRanked = (number: number) => {
			let rank = 0;
			for (let left = number; left >= counts[rank]!; rank++) {
				left -= counts[rank]!;
			}
			return sorted[rank]!;
		};
		const middle = (chosen.length - 1) / 2;
		return (findRanked(Math.floor(middle)) + findRanked(Math.ceil(middle))) / 2;
	};
}
