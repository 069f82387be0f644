import { measureWallMs, sampleMedians } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { getBenchRuns } from './benchSuite.ts';

/** Number of rows per batch, of batches per round (the median counts) and of concurrent rows. */
const rows = 200;
const batches = 5;
const concurrency = 8;

/** Measures the rows per second of an agent without a model. The floor is a loop of requests with the client and the same concurrency. */
export const rowRate: Measure = {
	name: 'rows',
	measure: `rows per second of an agent without a model with concurrency ${concurrency}, over a bare loop of requests`,
	unit: '×',
	costUnit: 'rows/s',
	limits: { 'bare loop': { least: 0.9 } },
	async run(inRounds) {
		const runs = await getBenchRuns();
		return inRounds({ warmUp: 1, rounds: 9 }, async () => {
			const costs = await sampleMedians(
				{
					suite: async () => rows / ((await measureWallMs(() => runs.runSuite(rows, concurrency))) / 1000),
					bare: async () => rows / ((await measureWallMs(() => runs.runWithoutSuite(rows, concurrency))) / 1000),
				},
				batches,
			);
			return { values: { 'bare loop': costs.suite / costs.bare }, costs };
		});
	},
};
