/** Level below which a difference counts as shown. */
const level = 0.05;

/** Chances of whole numbers from `low` on. */
interface Distribution {
	readonly low: number;
	readonly chances: Float64Array;
}

/** Number of cases from which chances below {@link leastChance} of the largest one are dropped, because they have no effect. */
const manyCases = 1000;
const leastChance = 1e-40;

/**
 * Computes the exact two-sided p value of the hypothesis that two variants don't differ, from the differences of the cases as whole numbers,
 * for example passed runs. All signs are equally likely then. So among differences of one size the number of flipped ones is binomial, and
 * the distribution of the sum follows by adding one size after the other. For differences of 1, 0 and -1 this is McNemar's exact test.
 */
export function computeSignFlipP(differences: readonly number[]): number {
	const sizes = differences.filter(each => each !== 0).map(Math.abs);
	if (sizes.length === 0) {
		return 1;
	}
	const unit = sizes.reduce(findCommonDivisor);
	const reach = sizes.reduce((sum, each) => sum + each, 0) / unit;
	const observed = Math.abs(differences.reduce((sum, each) => sum + each, 0)) / unit;
	let flipped: Distribution = { low: 0, chances: Float64Array.of(1) };
	for (const [size, cases] of Map.groupBy(sizes, each => each / unit)) {
		flipped = addFlips(flipped, size, computeBinomial(cases.length));
	}
	// a flipped case lowers the largest sum by twice its size
	const p = flipped.chances.reduce((sum, chance, at) => (Math.abs(reach - 2 * (flipped.low + at)) >= observed ? sum + chance : sum), 0);
	return Math.min(1, p);
}

/** Returns the distribution of the number of heads in so many tosses of a coin. */
function computeBinomial(tosses: number): Distribution {
	const middle = Math.floor(tosses / 2);
	const upper = [1];
	const lower: number[] = [];
	const isWanted = (chance: number) => tosses < manyCases || chance > leastChance;
	for (let at = middle + 1, chance = (tosses - middle) / at; at <= tosses && isWanted(chance); at++, chance *= (tosses - at + 1) / at) {
		upper.push(chance);
	}
	for (let at = middle - 1, chance = middle / (tosses - at); at >= 0 && isWanted(chance); at--, chance *= (at + 1) / (tosses - at)) {
		lower.push(chance);
	}
	const weights = [...lower.reverse(), ...upper];
	// smallest first, because their sum would be lost in a large one
	const whole = weights.toSorted((a, b) => a - b).reduce((sum, each) => sum + each, 0);
	return { low: middle - lower.length, chances: Float64Array.from(weights, each => each / whole) };
}

/** Adds the sum of flipped differences of one size to a distribution. */
function addFlips(before: Distribution, size: number, flips: Distribution): Distribution {
	const chances = new Float64Array(before.chances.length + size * (flips.chances.length - 1));
	for (const [count, factor] of flips.chances.entries()) {
		for (const [at, chance] of before.chances.entries()) {
			chances[at + size * count]! += chance * factor;
		}
	}
	return { low: before.low + size * flips.low, chances };
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
