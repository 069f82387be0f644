import type { Measure } from '../harness/table.ts';
import { measureInWindow } from './inWindow.ts';

/** Measures the heap in a real extension host, with the real pages of the chat and the inspector. */
export const heap: Measure = {
	name: 'heap',
	measure: 'chat and inspector opened and closed 20 times: heap growth; instances left',
	unit: 'MB',
	costUnit: 'left',
	limits: { heap: { most: 1 }, instances: { most: 0, unit: 'left' } },
	run: inRounds =>
		inRounds({ warmUp: 0, rounds: 1 }, async () => {
			const { grownBytes, left } = await measureInWindow('heap');
			const instances = Object.values(left).reduce((sum, count) => sum + count, 0);
			return { values: { heap: grownBytes / 1048576, instances }, costs: left };
		}),
};
