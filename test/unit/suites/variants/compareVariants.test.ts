import assert from 'node:assert/strict';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { compareVariants } from '#suites/variants/compareVariants.ts';
import { createResult } from '../../cli/reports/results.ts';

const names = ['now', 'bad', 'good'];
const options = { names, baseline: 'now', seed: 'seed', cached: false };

/** Creates results of cases in each variant. `passes`: whether a case passes in a variant, or how many of how many runs. */
function createResults(
	cases: number,
	passes: (at: number, variant: string) => boolean | readonly [number, number] | undefined,
): CaseResult[] {
	return Array.from({ length: cases * names.length }, (_, ordinal) => {
		const [at, variant] = [Math.floor(ordinal / names.length), names[ordinal % names.length]!];
		const given = passes(at, variant);
		const [passed, runs] = Array.isArray(given) ? given : [Number(given), 1];
		return createResult({
			ordinal,
			name: `case ${at}`,
			variant,
			outcome: given === undefined ? 'not-run' : passed === runs ? 'passed' : 'failed',
			score: passed / runs,
			...(runs > 1 && { repeated: { runs, passed } }),
			run: { status: 'succeeded', seconds: (at + 1) * (variant === 'good' ? 0.5 : 1), tokens: 100, cost: 0.01, currency: 'USD', steps: 1 },
		});
	});
}

async function* iterate<T>(items: readonly T[]): AsyncGenerator<T> {
	yield* items;
}

describe('a comparison of variants', () => {
	it('has rates with intervals, verdicts, durations and costs', async () => {
		const results = createResults(40, (at, variant) => (variant === 'bad' ? at >= 20 : variant === 'good' || at % 10 !== 0));
		const { variants } = await compareVariants(iterate(results), options);
		const [now, bad, good] = variants;
		assert.deepEqual([now?.cases, now?.rate, now?.p50, now?.p95, now?.tokens], [40, 0.9, 20, 38, 4000]);
		assert.equal(now?.cost?.toFixed(2), '0.40');
		assert.equal(now?.costPerPass?.toFixed(4), '0.0111');
		assert.equal(now?.versus, undefined);
		assert.deepEqual([now?.interval.low.toFixed(3), now?.interval.high.toFixed(3)], ['0.769', '0.960']);
		assert.equal(bad?.versus?.verdict, 'worse');
		assert.equal(bad?.versus?.difference.toFixed(2), '-0.40');
		assert.equal(bad?.versus?.worse.length, 18);
		assert.deepEqual(bad?.versus?.better, ['case 20', 'case 30']);
		assert.ok(bad!.versus!.interval!.high < 0);
		assert.deepEqual([good?.versus?.verdict, good?.versus?.better.length], ['too-few', 4]);
		assert.equal(good?.versus?.secondsRatio?.low.toFixed(2), '0.50');
		assert.deepEqual([good?.versus?.costRatio?.low, good?.versus?.costRatio?.high], [1, 1]);
	});

	it('adds up tokens and costs of all runs of a repeated case, and not those of the one that failed', async () => {
		const used = { tokens: 400, userTokens: 0, judgeTokens: 0, cost: 0.08 };
		const run = { status: 'failed', seconds: 1, tokens: 0, cost: 0, currency: 'USD', steps: 1 };
		const results = createResults(3, () => [4, 5]).map(result => ({ ...result, run, used }));
		const [now] = (await compareVariants(iterate(results), options)).variants;
		assert.deepEqual([now?.tokens, now?.cost?.toFixed(2), now?.costPerPass?.toFixed(3)], [1200, '0.24', '0.020']);
	});

	it('counts runs of repeated cases and finds flaky ones', async () => {
		const results = createResults(30, (at, variant) => (variant === 'bad' ? [1, 5] : at % 3 === 0 ? [4, 5] : [5, 5]));
		const { variants } = await compareVariants(iterate(results), options);
		const [now, bad, good] = variants;
		assert.deepEqual([now?.rate.toFixed(3), now?.flaky, now?.steady?.toFixed(3)], ['0.933', 10, '0.667']);
		assert.deepEqual([bad?.versus?.verdict, bad?.rate], ['worse', 0.2]);
		assert.ok(bad!.versus!.p < 1e-6);
		assert.deepEqual([good?.versus?.verdict, good?.versus?.difference], ['no-difference', 0]);
		assert.equal(now?.tokens, 30 * 5 * 100);
	});

	it("doesn't count cases that couldn't run, and pairs only those that ran in both", async () => {
		const results = createResults(10, (at, variant) => (variant === 'bad' && at < 4 ? undefined : true));
		const { variants } = await compareVariants(iterate(results), options);
		assert.deepEqual([variants[1]?.cases, variants[1]?.notRun, variants[1]?.versus?.cases], [6, 4, 6]);
		const none = await compareVariants(iterate([]), options);
		assert.deepEqual(
			[none.variants[0]?.rate, none.variants[0]?.interval, none.variants[1]?.versus?.verdict],
			[0, { low: 0, high: 1 }, 'too-few'],
		);
	});

	it('is the same for the same results in any order, and leaves out durations of cached replies', async () => {
		const results = createResults(25, (at, variant) => (variant === 'bad' ? at % 2 === 0 : at % 5 !== 0));
		const one = await compareVariants(iterate(results), options);
		const other = await compareVariants(iterate(results.toReversed()), options);
		assert.equal(JSON.stringify(one), JSON.stringify(other));
		const cached = await compareVariants(iterate(results), { ...options, cached: true });
		assert.deepEqual([cached.variants[1]?.p50, cached.variants[1]?.versus?.secondsRatio], [undefined, undefined]);
	});
});
