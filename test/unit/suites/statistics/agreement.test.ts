import assert from 'node:assert/strict';
import fs from 'node:fs';
import { computeAgreement, computeKappa, countPairs, findBestThreshold } from '#suites/statistics/agreement.ts';
import type { PairedCounts } from '#suites/statistics/intervals.ts';

/** Lines of the file that test/fixtures/statistics/kappa.py writes with statsmodels. */
const tables = fs
	.readFileSync(new URL('../../../fixtures/statistics/kappa.jsonl', import.meta.url), 'utf8')
	.trim()
	.split('\n')
	.map(line => JSON.parse(line) as { readonly of: readonly number[]; readonly is: readonly [number, number, number] });

const toCounts = ([both = 0, onlyFirst = 0, onlySecond = 0, neither = 0]: readonly number[]): PairedCounts => ({
	both,
	onlyFirst,
	onlySecond,
	neither,
});

describe('agreement of two people or judges', () => {
	it("agrees with the kappa and interval of statsmodels, which doesn't end at 1 and -1", () => {
		assert.equal(tables.length, 1000);
		for (const { of, is } of tables) {
			const { value, interval } = computeKappa(toCounts(of))!;
			for (const [at, actual] of [value, interval.low, interval.high].entries()) {
				const expected = Math.min(1, Math.max(-1, is[at]!));
				assert.ok(Math.abs(actual - expected) <= 1e-9, `${of}: ${actual} instead of ${expected}`);
			}
		}
	});

	it('has the kappa, precision and recall of a known table', () => {
		const { kappa, accuracy, cases, failPrecision, failRecall } = computeAgreement(toCounts([40, 10, 5, 45]));
		assert.equal(kappa?.value.toFixed(9), '0.700000000');
		assert.deepEqual([accuracy, cases, failPrecision?.toFixed(4), failRecall], [0.85, 100, '0.8182', 0.9]);
	});

	it("doesn't look certain if nobody disagrees, or a judge passes everything", () => {
		const perfect = computeKappa(toCounts([2, 0, 0, 1]))!;
		assert.equal(perfect.value, 1);
		assert.ok(perfect.interval.low < 0.2 && perfect.interval.high === 1, JSON.stringify(perfect));
		const lenient = computeKappa(toCounts([6, 0, 4, 0]))!;
		assert.equal(computeKappa(toCounts([0, 7, 0, 8]))?.value, 0);
		assert.ok(lenient.value === 0 && lenient.interval.low < -0.5 && lenient.interval.high > 0.5, JSON.stringify(lenient));
	});

	it('has no kappa if both have one and the same outcome, or without outputs', () => {
		assert.equal(computeKappa(toCounts([5, 0, 0, 0])), undefined);
		assert.equal(computeKappa(toCounts([0, 0, 0, 0])), undefined);
		assert.deepEqual(computeAgreement(toCounts([5, 0, 0, 0])), { counts: toCounts([5, 0, 0, 0]), cases: 5, accuracy: 1 });
	});

	it('counts pairs, and finds the lowest of the best thresholds', () => {
		assert.deepEqual(
			countPairs([
				[true, true],
				[true, false],
				[false, true],
				[false, false],
				[false, false],
			]),
			toCounts([1, 1, 1, 2]),
		);
		const scored = [
			{ passed: false, score: 0.2 },
			{ passed: false, score: 0.6 },
			{ passed: true, score: 0.7 },
			{ passed: true, score: 0.9 },
		];
		assert.deepEqual(findBestThreshold(scored), { threshold: 0.7, kappa: 1 });
		assert.equal(findBestThreshold([]), undefined);
	});

	it('finds the same threshold as comparing each, also among 100,000 scores', () => {
		let seed = 7;
		const random = () => {
			seed = (seed * 48_271) % 2_147_483_647;
			return seed / 2_147_483_647;
		};
		for (let round = 0; round < 200; round++) {
			const scored = Array.from({ length: Math.floor(random() * 12) }, () => {
				const score = Math.round(random() * 10) / 10;
				return { passed: random() < score, score };
			});
			const kappas = scored.map(({ score: threshold }) => {
				const pairs = scored.map(({ passed, score }) => [passed, score >= threshold] as const);
				return { threshold, kappa: computeKappa(countPairs(pairs))?.value };
			});
			const most = kappas.reduce((high, { kappa = -2 }) => Math.max(high, kappa), -2);
			const best = kappas.filter(({ kappa }) => kappa !== undefined && Math.abs(kappa - most) < 1e-9);
			const expected = best.length === 0 ? undefined : Math.min(...best.map(({ threshold }) => threshold));
			assert.equal(findBestThreshold(scored)?.threshold, expected, JSON.stringify(scored));
		}
		const many = Array.from({ length: 100_000 }, (_, at) => ({ passed: at >= 60_000, score: at / 100_000 }));
		assert.deepEqual(findBestThreshold(many), { threshold: 0.6, kappa: 1 });
	});
});
