import path from 'node:path';
import { runNode } from '../harness/processes.ts';
import type { Measure } from '../harness/table.ts';
import { baseUrl, chunkFile } from './subjects.ts';

/** A reader that takes 100 events a second of a stream of 1 GB. */
export const slowReader: Measure = {
	name: 'slow-reader',
	measure: 'memory while a slow reader holds a 1 GB stream, over idle, at most',
	unit: 'MB',
	limit: 64,
	async run() {
		const seconds = 8;
		const base = await baseUrl('endless');
		const { idle, samples } = await runNode<{ idle: number; samples: number[] }>([
			'--expose-gc',
			path.join(import.meta.dirname, 'slowReaderProcess.ts'),
			chunkFile,
			base,
			String(seconds),
		]);
		const value = (Math.max(...samples) - idle) / 1e6;
		const growth = (samples.at(-1)! - samples[Math.floor(samples.length / 2)]!) / 1e6;
		return { value, ok: value <= 64, notes: [`idle ${(idle / 1e6).toFixed(0)} MB; growth over the second half ${growth.toFixed(1)} MB`] };
	},
};
