import { measureWallMs } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { getBenchRuns } from '../suites/benchSuite.ts';

const cases = 20;
const concurrency = 8;
const suites = 10;

/** Runs suites one after another on an agent without a model, results on disk included. A model's time adds to each case. */
export const suiteRate: Measure = {
	name: 'suites',
	measure: `suites of ${cases} cases a minute, ${concurrency} cases at once, without a model`,
	unit: 'suites/min',
	limits: { 'one after another': { least: 60 } },
	async run(inRounds) {
		const runs = await getBenchRuns();
		return inRounds({ warmUp: 1, rounds: 5 }, async () => {
			const ms = await measureWallMs(async () => {
				for (let i = 0; i < suites; i++) {
					await runs.runSuite(cases, concurrency);
				}
			});
			return { values: { 'one after another': (suites / ms) * 60_000 } };
		});
	},
};
