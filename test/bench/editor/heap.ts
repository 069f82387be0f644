import type { Measure } from '../harness/table.ts';
import { measureInWindow } from './inWindow.ts';

/** In a real extension host, with the real pages of both. */
export const heap: Measure = {
	name: 'heap',
	measure: 'heap after 20 times open and close of chat and inspector, no instance left, at most more',
	unit: 'MB',
	limit: 1,
	async run() {
		const { grownBytes, left } = await measureInWindow('heap');
		const value = grownBytes / 1048576;
		const instances = Object.values(left).reduce((sum, count) => sum + count, 0);
		const notes = Object.entries(left).map(([name, count]) => `${name}: ${count} left`);
		return { value, ok: value <= 1 && instances === 0, notes };
	},
};
