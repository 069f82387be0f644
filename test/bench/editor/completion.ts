import { computeMedian } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { measureInWindow } from './inWindow.ts';

/**
 * Measures the time from a typed letter to its completions in a real extension host. The floor is the same in an agent file with 10 nodes.
 */
export const completion: Measure = {
	name: 'completion',
	measure: 'completion in an agent file with 600 nodes, per letter, over one with 10 nodes',
	unit: '×',
	costUnit: 'ms',
	limits: { '10 nodes': { most: 1.5 } },
	run: inRounds =>
		inRounds({ warmUp: 0, rounds: 3 }, async () => {
			const { few, many } = await measureInWindow('completion');
			const costs = { few: computeMedian(few), many: computeMedian(many) };
			return { values: { '10 nodes': costs.many / costs.few }, costs };
		}),
};
