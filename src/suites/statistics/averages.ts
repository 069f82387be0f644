import type { CaseSum } from './intervals.ts';

/** Computes the mean of a value of items; `NaN` without items. */
export function computeMean<T>(items: Iterable<T>, getValue: (item: T) => number): number {
	let [sum, count] = [0, 0];
	for (const item of items) {
		sum += getValue(item);
		count++;
	}
	return sum / count;
}

/** Returns the value at this share of the sorted values (nearest rank); `undefined` without values. */
export function getPercentile(values: readonly number[], share: number): number | undefined {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** Estimates the chance that `power` runs of a case in a row pass, as a mean over the cases with that many runs (pass^k). */
export function estimatePassPower(cases: readonly CaseSum[], power: number): number {
	return computeMean(
		cases.filter(({ runs }) => runs >= power),
		({ sum, runs }) => {
			let chance = 1;
			for (let at = 0; at < power; at++) {
				chance *= (sum - at) / (runs - at);
			}
			return Math.max(0, chance);
		},
	);
}
