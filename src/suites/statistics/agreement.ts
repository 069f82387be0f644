import { computeWilsonInterval, type Interval, type PairedCounts, z } from './intervals.ts';

/** Agreement of a person (the first) with a judge or another person (the second) on whether the same outputs pass. */
export interface Agreement {
	readonly counts: PairedCounts;
	/** Number of outputs. */
	readonly cases: number;
	/** Share of the outputs on which both agree; `NaN` without outputs. */
	readonly accuracy: number;
	/** Cohen's kappa with its 95 % interval; `undefined` if all outputs have the same outcome for both, so that chance explains everything. */
	readonly kappa?: { readonly value: number; readonly interval: Interval };
	/** Share of the outputs failed by the second that the first fails too, and the reverse; `undefined` if there are none. */
	readonly failPrecision?: number;
	readonly failRecall?: number;
}

/** Counts the pairs of outcomes. */
export function countPairs(pairs: Iterable<readonly [first: boolean, second: boolean]>): PairedCounts {
	const counts = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
	for (const [first, second] of pairs) {
		counts[first ? (second ? 'both' : 'onlyFirst') : second ? 'onlySecond' : 'neither']++;
	}
	return counts;
}

/** Computes how far two agree. */
export function computeAgreement(counts: PairedCounts): Agreement {
	const { both, onlyFirst, onlySecond, neither } = counts;
	const cases = both + onlyFirst + onlySecond + neither;
	const kappa = computeKappa(counts);
	return {
		counts,
		cases,
		accuracy: (both + neither) / cases,
		...(kappa && { kappa }),
		...(onlyFirst + neither > 0 && { failPrecision: neither / (onlyFirst + neither) }),
		...(onlySecond + neither > 0 && { failRecall: neither / (onlySecond + neither) }),
	};
}

/**
 * Computes Cohen's kappa with the large-sample interval of Fleiss, Cohen and Everitt (1969). Their standard error is 0 if there's no
 * disagreement, or if one side always has the same outcome: Wilson's interval of the agreement is used then, with the chance agreement as
 * observed, so that three outputs don't look certain. A bootstrap doesn't help there, because its samples are just as uniform.
 */
export function computeKappa({ both, onlyFirst, onlySecond, neither }: PairedCounts): Agreement['kappa'] {
	const cases = both + onlyFirst + onlySecond + neither;
	const [first, second] = [(both + onlyFirst) / cases, (both + onlySecond) / cases];
	const chance = first * second + (1 - first) * (1 - second);
	// also without cases
	if (!(chance < 1)) {
		return undefined;
	}
	const observed = (both + neither) / cases;
	const isUniform = first % 1 === 0 || second % 1 === 0;
	// exactly as much as chance; rounding would show it as -0.00
	const value = isUniform ? 0 : (observed - chance) / (1 - chance);
	if (onlyFirst + onlySecond === 0 || isUniform) {
		const { low, high } = computeWilsonInterval(both + neither, cases);
		return createKappa(value, (low - chance) / (1 - chance), (high - chance) / (1 - chance));
	}
	const rest = 1 - value;
	const agreeing = (both / cases) * (1 - (first + second) * rest) ** 2 + (neither / cases) * (1 - (2 - first - second) * rest) ** 2;
	const differing = rest ** 2 * ((onlyFirst / cases) * (second + 1 - first) ** 2 + (onlySecond / cases) * (first + 1 - second) ** 2);
	const variance = (agreeing + differing - (value - chance * rest) ** 2) / (cases * (1 - chance) ** 2);
	const half = z * Math.sqrt(variance);
	return createKappa(value, value - half, value + half);
}

function createKappa(value: number, low: number, high: number): Agreement['kappa'] {
	return { value, interval: { low: Math.max(-1, low), high: Math.min(1, high) } };
}

/**
 * Returns the threshold whose outcomes agree best with those of a person: a score passes if it's at least the threshold. Of equally good ones,
 * it's the lowest. `undefined` if no threshold has a kappa.
 */
export function findBestThreshold(
	scored: readonly { readonly passed: boolean; readonly score: number }[],
): { readonly threshold: number; readonly kappa: number } | undefined {
	const sorted = scored.toSorted((a, b) => a.score - b.score);
	// with the lowest threshold, all scores pass; each higher one fails those below it
	const passed = scored.filter(each => each.passed).length;
	const counts = { both: passed, onlyFirst: 0, onlySecond: scored.length - passed, neither: 0 };
	let best: { threshold: number; kappa: number } | undefined;
	for (const [at, { score, passed: isPassed }] of sorted.entries()) {
		if (score !== sorted[at - 1]?.score) {
			const kappa = computeKappa(counts)?.value;
			// rounding must not prefer a higher threshold
			if (kappa !== undefined && kappa > (best?.kappa ?? Number.NEGATIVE_INFINITY) + 1e-12) {
				best = { threshold: score, kappa };
			}
		}
		counts[isPassed ? 'both' : 'onlySecond']--;
		counts[isPassed ? 'onlyFirst' : 'neither']++;
	}
	return best;
}
