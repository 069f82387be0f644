/** Level below which a difference counts as shown. */
const level = 0.05;

/**
 * Computes the exact two-sided p value of the hypothesis that two variants don't differ, from the differences of the cases as whole numbers,
 * for example passed runs. All signs are equally likely then, so the distribution of the sum follows by adding one case after the other. For
 * differences of 1, 0 and -1 this is McNemar's exact test.
 */
export function computeSignFlipP(differences: readonly number[]): number {
	const sizes = differences.filter(each => each !== 0).map(Math.abs);
	if (sizes.length === 0) {
		return 1;
	}
	const unit = sizes.reduce(findCommonDivisor);
	const reach = sizes.reduce((sum, each) => sum + each, 0) / unit;
	const observed = Math.abs(differences.reduce((sum, each) => sum + each, 0)) / unit;
	// chances of the sum of flipped cases: a flipped case lowers the largest sum by twice its size
	let chances = new Float64Array(reach + 1);
	chances[0] = 1;
	let filled = 0;
	for (const size of sizes.map(each => each / unit)) {
		const next = new Float64Array(reach + 1);
		for (let at = 0; at <= filled; at++) {
			next[at]! += chances[at]! / 2;
			next[at + size]! += chances[at]! / 2;
		}
		filled += size;
		chances = next;
	}
	let p = 0;
	for (let at = 0; at <= reach; at++) {
		p += Math.abs(reach - 2 * at) >= observed ? chances[at]! : 0;
	}
	return Math.min(1, p);
}

/** Adjusts p values of several comparisons by Holm's method, in the order given. */
export function adjustByHolm(values: readonly number[]): readonly number[] {
	const order = values.map((_, at) => at).sort((a, b) => values[a]! - values[b]!);
	const adjusted = new Array<number>(values.length);
	let least = 0;
	for (const [rank, at] of order.entries()) {
		least = Math.max(least, Math.min(1, values[at]! * (values.length - rank)));
		adjusted[at] = least;
	}
	return adjusted;
}

/** Verdict on a variant, compared with the baseline. */
export type VariantVerdict = 'better' | 'worse' | 'no-difference' | 'too-few';

/**
 * Decides about a variant. `too-few`: not enough cases differ to show anything, even if all of them changed in one direction.
 *
 * @param p adjusted for the number of comparisons
 */
export function decideVerdict(differences: readonly number[], p: number, comparisons: number): VariantVerdict {
	const differing = differences.filter(each => each !== 0).length;
	const needed = Math.ceil(1 + Math.log2(comparisons / level));
	if (p < level) {
		return differences.reduce((sum, each) => sum + each, 0) > 0 ? 'better' : 'worse';
	}
	return differences.length < needed || (differing > 0 && differing < needed) ? 'too-few' : 'no-difference';
}

/** Computes the difference of rates that this many cases show with a power of 80 %. `differing`: how many of them differ. */
export function getDetectableDifference(cases: number, differing: number): number {
	return cases === 0 ? 1 : Math.min(1, 2.8 * Math.sqrt((differing === 0 ? 0.2 : differing / cases) / cases));
}

function findCommonDivisor(a: number, b: number): number {
	return b === 0 ? a : findCommonDivisor(b, a % b);
}
