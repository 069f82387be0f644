import path from 'node:path';
import { runNode } from '../harness/processes.ts';
import type { Measure } from '../harness/table.ts';
import { chunkFile, getBaseUrl } from './subjects.ts';

/** Reads a stream of 720 MB without a line break in a separate process. The event must be refused at its limit. */
export const longEvent: Measure = {
	name: 'long-event',
	measure: 'one event of 720 MB: highest memory over idle until it is refused, events that are returned',
	unit: 'MB',
	limits: { 'over idle': { most: 400 }, returned: { most: 0, unit: 'events' } },
	async run(inRounds) {
		const [idleUrl, base] = [await getBaseUrl('first'), await getBaseUrl('unending')];
		const reader = path.join(import.meta.dirname, 'longEventProcess.ts');
		return inRounds({ warmUp: 0, rounds: 3 }, async () => {
			const read = await runNode<{ idle: number; highest: number; returned: number }>([reader, chunkFile, idleUrl, base]);
			return { values: { 'over idle': read.highest - read.idle, returned: read.returned }, costs: { idle: read.idle } };
		});
	},
};
