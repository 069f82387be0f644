import { fileURLToPath } from 'node:url';
import { runNode, startNode } from '../harness/processes.ts';
import type { Measure } from '../harness/table.ts';

const program = fileURLToPath(new URL('memoryProgram.ts', import.meta.url));
const service = fileURLToPath(new URL('fastService.ts', import.meta.url));
const many = 100_000;
const few = 100;

/**
 * Measures the peak memory of a process that runs a dataset with many rows, minus the peak with few rows. The service runs in a separate
 * process and answers immediately.
 */
export const rowMemory: Measure = {
	name: 'memory',
	measure: `memory with ${many} rows minus that with ${few} rows`,
	unit: 'MB',
	limits: { 'few rows': { most: 200 } },
	async run(inRounds) {
		const served = await startNode<{ readonly url: string }>([service]);
		try {
			return await inRounds({ warmUp: 0, rounds: 1 }, async () => {
				const [large, small] = [await measurePeakMemory(served.ready.url, many), await measurePeakMemory(served.ready.url, few)];
				return { values: { 'few rows': large - small }, costs: { [`${many} rows`]: large, [`${few} rows`]: small } };
			});
		} finally {
			await served.stop();
		}
	},
};

async function measurePeakMemory(url: string, rows: number): Promise<number> {
	return (await runNode<{ readonly mb: number }>([program, url, String(rows)])).mb;
}
