import { measureWallMs, sampleMedians } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { getBenchRuns } from './benchSuite.ts';

/** Number of cases per batch, which run one after another, and of batches per round. The median counts. */
const cases = 200;
const batches = 3;

/**
 * Runs cases of five nodes with two checks, one after another, and writes each result to disk. The floor is the same runs with the client,
 * each read to its end.
 */
export const caseCost: Measure = {
	name: 'case',
	measure: `a sequential case over the bare run, ${cases} per batch, median of ${batches}`,
	unit: '×',
	costUnit: 'ms',
	limits: { 'bare run': { most: 1.1 } },
	async run(inRounds) {
		const runs = await getBenchRuns();
		return inRounds({ warmUp: 2, rounds: 9 }, async () => {
			const costs = await sampleMedians(
				{
					suite: async () => (await measureWallMs(() => runs.runSuite(cases, 1))) / cases,
					bare: async () => (await measureWallMs(() => runs.runWithoutSuite(cases, 1))) / cases,
				},
				batches,
			);
			return { values: { 'bare run': costs.suite / costs.bare }, costs };
		});
	},
};
