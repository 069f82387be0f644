import { contest, wallMs } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { benchRuns } from './benchSuite.ts';

/** Rows of a round, and how many at a time. */
const rows = 1_000;
const concurrency = 8;

/** Rows a second of an agent without a model; the floor is a loop of requests with the client, as many at a time. */
export const rowRate: Measure = {
	name: 'rows',
	measure: `rows a second of an agent without a model at concurrency ${concurrency}, over a bare loop of requests`,
	unit: '×',
	costUnit: 'rows/s',
	limits: { 'bare loop': { least: 0.9 } },
	async run(inRounds) {
		const runs = await benchRuns();
		return inRounds({ warmUp: 1, rounds: 9 }, async () => {
			const costs = await contest({
				suite: async () => rows / ((await wallMs(() => runs.suite(rows, concurrency))) / 1000),
				bare: async () => rows / ((await wallMs(() => runs.bare(rows, concurrency))) / 1000),
			});
			return { values: { 'bare loop': costs.suite / costs.bare }, costs };
		});
	},
};
