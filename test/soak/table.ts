import fs from 'node:fs';
import { median } from '../bench/harness/contest.ts';

/** What a process said of itself. `role`: "gateway" or "extension host"; `rss`, `heap`: bytes; `heap` after a collection. */
export interface MemorySample {
	readonly role: string;
	readonly time: number;
	readonly rss: number;
	readonly heap: number;
	readonly handles: number;
}

/** How far the last tenth may be over the first: a factor, and what is noise. */
export interface Allowance {
	readonly factor: number;
	readonly noise: number;
}

/** Rows that hold the first tenth (after a tenth of warm-up) against the last. */
export class Table {
	readonly rows = ['| figure | first tenth | last tenth | allowed | holds |', '|---|---|---|---|---|'];
	/** Whether nothing has grown. */
	ok = true;

	/** Judges a figure: one that is missing (NaN) does not hold. */
	judge(name: string, unit: string, first: number, last: number, { factor, noise }: Allowance): void {
		const allowed = first * factor + noise;
		const holds = last <= allowed;
		this.ok &&= holds;
		this.rows.push(
			`| ${name} | ${first.toFixed(1)} ${unit} | ${last.toFixed(1)} ${unit} | ${allowed.toFixed(1)} ${unit} | ${holds ? 'yes' : 'NO'} |`,
		);
	}

	/** Judges what a process said of its memory and of what it keeps open. `of`: put after the figures' names, as in " of the gateway". */
	judgeMemory(of: string, early: readonly MemorySample[], late: readonly MemorySample[]): void {
		const megabytes = (samples: readonly MemorySample[], key: 'rss' | 'heap') => median(samples.map(each => each[key])) / 1_048_576;
		const handles = (samples: readonly MemorySample[]) => median(samples.map(each => each.handles));
		this.judge(`memory${of} (rss)`, 'MB', megabytes(early, 'rss'), megabytes(late, 'rss'), { factor: 1.25, noise: 32 });
		this.judge(`heap${of} after a collection`, 'MB', megabytes(early, 'heap'), megabytes(late, 'heap'), { factor: 1.1, noise: 8 });
		this.judge(`open handles${of}`, '', handles(early), handles(late), { factor: 1, noise: 12 });
	}

	/** Shows a figure that is not judged. */
	show(name: string, first: string, last: string): void {
		this.rows.push(`| ${name} | ${first} | ${last} | | |`);
	}
}

/** What processes wrote with probe.mjs; of those with this role. */
export function memoryOf(figures: string, role: string): MemorySample[] {
	return fs
		.readFileSync(figures, 'utf8')
		.split('\n')
		.filter(line => line !== '')
		.map(line => JSON.parse(line) as MemorySample)
		.filter(sample => sample.role === role);
}

/** The second and the last tenth of samples, by their order; one sample at least. */
export function tenths<T>(samples: readonly T[]): { readonly early: readonly T[]; readonly late: readonly T[] } {
	const size = Math.max(1, Math.floor(samples.length / 10));
	return { early: samples.slice(size, 2 * size), late: samples.slice(-size) };
}
