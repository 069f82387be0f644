import assert from 'node:assert/strict';
import fs from 'node:fs';
import { computeMean, estimatePassPower, getPercentile } from '#suites/statistics/averages.ts';
import { bootstrapDifference, bootstrapMedianRatio, type ValuePair } from '#suites/statistics/bootstrap.ts';
import { computeClusteredInterval, computeNewcombeInterval, computeWilsonInterval, type Interval } from '#suites/statistics/intervals.ts';
import { adjustByHolm, computeSignFlipP, decideVerdict, getDetectableDifference } from '#suites/statistics/pairedTests.ts';

interface Reference<Of, Is = readonly number[]> {
	readonly of: Of;
	readonly is: Is;
}

/** A line of the file that test/fixtures/statistics/reference.py writes with SciPy. */
interface ReferenceTable {
	readonly wilson: Reference<[number, number]>;
	readonly newcombe: Reference<[number, number, number, number]>;
	readonly mcnemar: Reference<[number, number], number>;
	readonly clustered: Reference<[number, number][]>;
	readonly power: Reference<[number, number][], number>;
	readonly signs: Reference<number[], number>;
	readonly holm: Reference<number[]>;
	readonly difference: { readonly of: ValuePair[]; readonly between: readonly number[] };
	readonly ratio: { readonly of: ValuePair[]; readonly between: readonly number[] };
}

const tables = fs
	.readFileSync(new URL('../../../fixtures/statistics/tables.jsonl', import.meta.url), 'utf8')
	.trim()
	.split('\n')
	.map(line => JSON.parse(line) as ReferenceTable);

function checkClose(actual: readonly number[], expected: readonly number[], of: unknown): void {
	for (const [at, value] of expected.entries()) {
		assert.ok(Math.abs(actual[at]! - value) <= 1e-9, `${JSON.stringify(of)}: ${actual[at]} instead of ${value}`);
	}
}

const toPair = (interval: Interval | undefined): number[] => (interval ? [interval.low, interval.high] : []);
const toSums = (cases: readonly (readonly [number, number])[]) => cases.map(([sum, runs]) => ({ sum, runs }));

/** Returns the differences of cases of which this many only pass in the first and in the second variant. */
const listDifferences = (onlyFirst: number, onlySecond: number): number[] => [
	...new Array<number>(onlyFirst).fill(-1),
	...new Array<number>(onlySecond).fill(1),
];

describe('statistics', () => {
	it('have 1,000 reference tables', () => assert.equal(tables.length, 1000));

	it("agree with SciPy's Wilson interval", () => {
		for (const { wilson } of tables) {
			checkClose(toPair(computeWilsonInterval(...wilson.of)), wilson.is, wilson.of);
		}
		assert.deepEqual(
			toPair(computeWilsonInterval(9, 10)).map(value => value.toFixed(3)),
			['0.596', '0.982'],
		);
		assert.deepEqual(computeWilsonInterval(0, 0), { low: 0, high: 1 });
	});

	it("agree with Newcombe's interval of a paired difference, computed from SciPy's Wilson intervals", () => {
		for (const { newcombe } of tables) {
			const [both, onlyFirst, onlySecond, neither] = newcombe.of;
			checkClose(toPair(computeNewcombeInterval({ both, onlyFirst, onlySecond, neither })), newcombe.is, newcombe.of);
		}
		assert.deepEqual(computeNewcombeInterval({ both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 }), { low: -1, high: 1 });
	});

	it("agree with SciPy's binomial test of the cases that differ, which is McNemar's exact test", () => {
		for (const { mcnemar } of tables) {
			checkClose([computeSignFlipP(listDifferences(...mcnemar.of))], [mcnemar.is], mcnemar.of);
		}
		assert.equal(computeSignFlipP(listDifferences(1, 9)).toFixed(4), '0.0215');
		assert.ok(computeSignFlipP(listDifferences(0, 5)) >= 0.05);
		assert.ok(computeSignFlipP(listDifferences(0, 6)) < 0.05);
	});

	it('are as exact for a hundred thousand cases, in time that grows with their number', () => {
		// the binomial tail by logarithms of factorials
		assert.equal(computeSignFlipP(listDifferences(49_500, 50_500)).toFixed(7), '0.0015824');
		checkClose([computeSignFlipP(listDifferences(50_000, 50_000))], [1], 'as many');
		assert.equal(computeSignFlipP(listDifferences(0, 1_000_000)), 0);
		const mixed = Array.from({ length: 20_000 }, (_, at) => ((at % 5) + 1) * (at % 2 === 0 ? 1 : -1));
		assert.ok(computeSignFlipP(mixed) > 0.9);
		assert.ok(Math.abs(computeSignFlipP(listDifferences(0, 100)) / 2 ** -99 - 1) < 1e-9);
	});

	it("agree with SciPy's exact permutation test for repeated runs", () => {
		for (const { signs } of tables) {
			checkClose([computeSignFlipP(signs.of)], [signs.is], signs.of);
		}
		assert.equal(computeSignFlipP([4, -8, 4]), computeSignFlipP([1, -2, 1]));
	});

	it("agree with the interval clustered by case with SciPy's quantiles", () => {
		for (const { clustered } of tables) {
			checkClose(toPair(computeClusteredInterval(toSums(clustered.of))), clustered.is, clustered.of);
		}
		assert.equal(computeClusteredInterval([{ sum: 1, runs: 2 }]), undefined);
	});

	it('agree with the combinatorial definition of pass^k', () => {
		for (const { power } of tables) {
			checkClose([estimatePassPower(toSums(power.of), 2)], [power.is], power.of);
		}
		assert.equal(estimatePassPower([{ sum: 4, runs: 5 }], 2).toFixed(9), '0.600000000');
		assert.ok(Number.isNaN(estimatePassPower([{ sum: 1, runs: 1 }], 2)));
	});

	it("agree with Holm's adjustment in exact fractions", () => {
		for (const { holm } of tables) {
			checkClose(adjustByHolm(holm.of), holm.is, holm.of);
		}
		assert.deepEqual(adjustByHolm([]), []);
	});

	it("lie within Monte Carlo error of SciPy's bootstrap, and repeat with their seed", () => {
		for (const { difference, ratio } of tables) {
			for (const [{ of, between }, interval] of [
				[difference, bootstrapDifference(difference.of, 'one')],
				[ratio, bootstrapMedianRatio(ratio.of, 'one')],
			] as const) {
				const [low, high] = toPair(interval);
				const [a, b, c, d] = between as [number, number, number, number];
				assert.ok(a - 1e-5 <= low! && low! <= b + 1e-5, `${JSON.stringify(of)}: ${low} isn't from ${a} to ${b}`);
				assert.ok(c - 1e-5 <= high! && high! <= d + 1e-5, `${JSON.stringify(of)}: ${high} isn't from ${c} to ${d}`);
			}
		}
		const { of } = tables[0]!.difference;
		assert.deepEqual(bootstrapDifference(of, 'one'), bootstrapDifference(of, 'one'));
		assert.notDeepEqual(bootstrapDifference(of, 'one'), bootstrapDifference(of, 'two'));
		assert.equal(bootstrapDifference([[1, 2]], 'one'), undefined);
		assert.equal(
			bootstrapMedianRatio(
				[
					[0, 1],
					[0, 2],
				],
				'one',
			),
			undefined,
		);
	}).timeout(60_000);

	it('use the nearest rank for percentiles', () => {
		assert.equal(getPercentile([3, 1, 2, 4], 0.5), 2);
		assert.equal(getPercentile([3, 1, 2, 4], 0.95), 4);
		assert.equal(getPercentile([], 0.5), undefined);
		assert.equal(
			computeMean([1, 2, 6], value => value),
			3,
		);
	});

	it('decide that too few cases differ before they call it no difference', () => {
		const decide = (differences: readonly number[], comparisons = 1) =>
			decideVerdict(differences, adjustByHolm(new Array(comparisons).fill(computeSignFlipP(differences)))[0]!, comparisons);
		assert.equal(decide(listDifferences(0, 5)), 'too-few');
		assert.equal(decide(listDifferences(0, 6)), 'better');
		assert.equal(decide(listDifferences(6, 0)), 'worse');
		assert.equal(decide(listDifferences(0, 6), 2), 'too-few');
		assert.equal(decide([...listDifferences(1, 3), ...new Array(40).fill(0)]), 'too-few');
		assert.equal(decide([...listDifferences(4, 5), ...new Array(40).fill(0)]), 'no-difference');
		assert.equal(decide(new Array(40).fill(0)), 'no-difference');
		assert.equal(decide([]), 'too-few');
	});

	it('tell which difference the cases can show', () => {
		assert.equal(getDetectableDifference(100, 0).toFixed(3), '0.125');
		assert.equal(getDetectableDifference(100, 40).toFixed(3), '0.177');
		assert.equal(getDetectableDifference(0, 0), 1);
	});
});
