import { computeQuantile } from '../bench/harness/contest.ts';
import { type MemorySample, Table } from './table.ts';

/** A request sent during the soak test. `time`: when it was sent, in Unix milliseconds. */
export interface Sample {
	readonly name: string;
	readonly time: number;
	readonly ms: number;
}

/** Bytes of the store's files after this many requests. */
export interface SizeSample {
	readonly time: number;
	readonly bytes: number;
	readonly requests: number;
}

/** The request that the others are compared with, because it does almost nothing. */
const floor = 'health check';

/** Compares the first tenth of the time (after a tenth of warm-up) with the last. */
export function compareTenths(
	began: number,
	durationMs: number,
	requests: readonly Sample[],
	memory: readonly MemorySample[],
	sizes: readonly SizeSample[],
): Table {
	const pickTenth = <T extends { readonly time: number }>(all: readonly T[], index: number) =>
		all.filter(({ time }) => time >= began + (durationMs * index) / 10 && time < began + (durationMs * (index + 1)) / 10);
	const table = new Table();
	table.judgeMemory('', pickTenth(memory, 1), pickTenth(memory, 9));
	table.judgeMetric(
		'store size per request',
		'KB',
		computeSizeGrowth(pickTenth(sizes, 1)) / 1024,
		computeSizeGrowth(pickTenth(sizes, 9)) / 1024,
		{
			factor: 1.3,
			noise: 1,
		},
	);
	const getTimes = (name: string, index: number) => pickTenth(requests, index).flatMap(each => (each.name === name ? each.ms : []));
	const computeP50 = (name: string, index: number) => computeQuantile(getTimes(name, index), 0.5);
	for (const name of [...new Set(requests.map(each => each.name))].sort()) {
		// other work on the machine also slows down the health check
		const getLatencyRatio = (index: number) => computeP50(name, index) / computeP50(floor, index);
		table.judgeMetric(`${name}, p50 over ${floor}`, '×', getLatencyRatio(1), getLatencyRatio(9), { factor: 1.5, noise: 1 });
		const [first = '', last = ''] = [1, 9].map(
			index => `${computeP50(name, index).toFixed(1)}, ${computeQuantile(getTimes(name, index), 0.95).toFixed(1)} ms`,
		);
		table.showMetric(`${name}, p50, p95`, first, last);
	}
	return table;
}

function computeSizeGrowth(sizes: readonly SizeSample[]): number {
	const [first, last] = [sizes[0], sizes.at(-1)];
	return first && last && last.requests > first.requests ? (last.bytes - first.bytes) / (last.requests - first.requests) : 0;
}
