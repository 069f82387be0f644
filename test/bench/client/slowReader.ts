import path from 'node:path';
import { runNode } from '../harness/processes.ts';
import type { Measure } from '../harness/table.ts';
import { chunkFile, getBaseUrl } from './subjects.ts';

const seconds = 8;

/** Reads 100 events a second from a stream of 1 GB. Memory counts as flat if it grows by less than one chunk in the second half. */
export const slowReader: Measure = {
	name: 'slow-reader',
	measure: 'memory of a slow reader of a 1 GB stream, over idle; growth in the second half',
	unit: 'MB',
	limits: { 'over idle': { most: 32 }, growth: { most: 1 } },
	async run(inRounds) {
		const base = await getBaseUrl('endless');
		const reader = path.join(import.meta.dirname, 'slowReaderProcess.ts');
		return inRounds({ warmUp: 0, rounds: 3 }, async () => {
			const read = await runNode<{ idle: number; samples: number[] }>(['--expose-gc', reader, chunkFile, base, String(seconds)]);
			const [middle = Number.NaN, end = Number.NaN] = [read.samples[Math.floor(read.samples.length / 2)], read.samples.at(-1)];
			const values = { 'over idle': (Math.max(...read.samples) - read.idle) / 1e6, growth: (end - middle) / 1e6 };
			return { values, costs: { idle: read.idle / 1e6 } };
		});
	},
};
