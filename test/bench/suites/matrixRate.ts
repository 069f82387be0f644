import { measureWallMs, sampleMedians } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { getBenchRuns } from './benchSuite.ts';

const rows = 500;
/** Number of concurrent cells. */
const concurrency = 8;

/** Measures a comparison of four variants. The floor is a loop that sends the same texts of the agent with the same concurrency. */
export const matrixRate: Measure = {
	name: 'matrix',
	measure: `comparison of 4 variants × ${rows} rows with concurrency ${concurrency}, over a bare loop of requests`,
	unit: '×',
	costUnit: 'ms',
	limits: { 'bare loop': { most: 1.1 } },
	async run(inRounds) {
		const runs = await getBenchRuns();
		return inRounds({ warmUp: 1, rounds: 5 }, async () => {
			const costs = await sampleMedians(
				{
					suite: () => measureWallMs(() => runs.runMatrix(rows, concurrency)),
					bare: () => measureWallMs(() => runs.runTextsWithoutSuite(rows, concurrency)),
				},
				1,
			);
			return { values: { 'bare loop': costs.suite / costs.bare }, costs };
		});
	},
};
