import { contest, wallMs } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { benchRuns } from './benchSuite.ts';

/** Cases of a round, one after the other. */
const cases = 300;

/** A case of five nodes with two checks, one at a time, its result on the disk; the floor is the same run with the client, read to its end. */
export const caseCost: Measure = {
	name: 'case',
	measure: `a case over the bare run, one at a time, ${cases} a round`,
	unit: '×',
	costUnit: 'ms',
	limits: { 'bare run': { most: 1.1 } },
	async run(inRounds) {
		const runs = await benchRuns();
		return inRounds({ warmUp: 2, rounds: 9 }, async () => {
			const costs = await contest({
				suite: async () => (await wallMs(() => runs.suite(cases, 1))) / cases,
				bare: async () => (await wallMs(() => runs.bare(cases, 1))) / cases,
			});
			return { values: { 'bare run': costs.suite / costs.bare }, costs };
		});
	},
};
