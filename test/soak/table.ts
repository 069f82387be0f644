import fs from 'node:fs';
import { computeMedian } from '../bench/harness/contest.ts';

/** Memory of a process. `role`: "gateway" or "extension host"; `rss` and `heap` in bytes; `heap` after a garbage collection. */
export interface MemorySample {
	readonly role: string;
	readonly time: number;
	readonly rss: number;
	readonly heap: number;
	readonly handles: number;
}

/** Limit for the last tenth: the first tenth multiplied by `factor`, plus `noise`. */
export interface Allowance {
	readonly factor: number;
	readonly noise: number;
}

/** Rows that compare the first tenth (after a tenth of warm-up) with the last. */
export class Table {
	readonly rows = ['| metric | first tenth | last tenth | allowed | ok |', '|---|---|---|---|---|'];
	/** True if nothing has grown. */
	ok = true;

	/** Judges a metric; a missing one (NaN) fails. */
	judgeMetric(name: string, unit: string, first: number, last: number, { factor, noise }: Allowance): void {
		const allowed = first * factor + noise;
		const holds = last <= allowed;
		this.ok &&= holds;
		this.rows.push(
			`| ${name} | ${first.toFixed(1)} ${unit} | ${last.toFixed(1)} ${unit} | ${allowed.toFixed(1)} ${unit} | ${holds ? 'yes' : 'NO'} |`,
		);
	}

	/** Judges a process's memory and open handles. `of` is appended to the metrics' names, for example " of the gateway". */
	judgeMemory(of: string, early: readonly MemorySample[], late: readonly MemorySample[]): void {
		const computeMedianMegabytes = (samples: readonly MemorySample[], key: 'rss' | 'heap') =>
			computeMedian(samples.map(each => each[key])) / 1_048_576;
		const computeMedianHandles = (samples: readonly MemorySample[]) => computeMedian(samples.map(each => each.handles));
		this.judgeMetric(`memory${of} (rss)`, 'MB', computeMedianMegabytes(early, 'rss'), computeMedianMegabytes(late, 'rss'), {
			factor: 1.25,
			noise: 32,
		});
		this.judgeMetric(
			`heap${of} after garbage collection`,
			'MB',
			computeMedianMegabytes(early, 'heap'),
			computeMedianMegabytes(late, 'heap'),
			{
				factor: 1.1,
				noise: 8,
			},
		);
		this.judgeMetric(`open handles${of}`, '', computeMedianHandles(early), computeMedianHandles(late), { factor: 1, noise: 12 });
	}

	/** Adds a metric without judging it. */
	showMetric(name: string, first: string, last: string): void {
		this.rows.push(`| ${name} | ${first} | ${last} | | |`);
	}
}

/** Returns the samples that processes with this role wrote with probe.mjs. */
export function readMemory(figures: string, role: string): MemorySample[] {
	return fs
		.readFileSync(figures, 'utf8')
		.split('\n')
		.filter(line => line !== '')
		.map(line => JSON.parse(line) as MemorySample)
		.filter(sample => sample.role === role);
}

/** Returns the second and the last tenth of the samples, at least one sample each. */
export function pickTenths<T>(samples: readonly T[]): { readonly early: readonly T[]; readonly late: readonly T[] } {
	const size = Math.max(1, Math.floor(samples.length / 10));
	return { early: samples.slice(size, 2 * size), late: samples.slice(-size) };
}
