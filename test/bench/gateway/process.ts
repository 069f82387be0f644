import { execFileSync } from 'node:child_process';
import { median } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { burst, call, streamBody } from './caller.ts';
import { type Contestant, contestant, startGateway } from './contestants.ts';

const starts = 9;

/** A fresh process: when it has settled, and after requests and streams. */
export const memoryIdle: Measure = {
	name: 'memory-idle',
	measure: 'memory when idle',
	unit: 'MB',
	limit: 90,
	async run() {
		const gateway = await startGateway();
		await settled();
		const value = residentMb(gateway.pid);
		await gateway.stop();
		return { value, ok: value <= 90 };
	},
};

export const memoryLoaded: Measure = {
	name: 'memory-loaded',
	measure: 'memory after the load: 20,000 requests at 64 in flight, 10 streams of 100,000 events',
	unit: 'MB',
	limit: 170,
	async run() {
		const gateway = await startGateway();
		const minimal = await contestant('minimal');
		await load(gateway);
		const value = residentMb(gateway.pid);
		await gateway.stop();
		await load(minimal);
		return { value, ok: value <= 170, notes: [`the minimal passthrough after the same: ${residentMb(minimal.pid).toFixed(0)} MB`] };
	},
};

async function load(target: Contestant): Promise<void> {
	await burst(target, 20_000, 64);
	await Promise.all(Array.from({ length: 10 }, () => call(target, streamBody(100_000))));
}

/** From the start of the process to its ready line, which it prints when it listens and its store is open. */
export const start: Measure = {
	name: 'start',
	measure: 'start to listening, median',
	unit: 'ms',
	limit: 250,
	async run() {
		const times: number[] = [];
		const bare: number[] = [];
		for (let i = 0; i < starts; i++) {
			let before = performance.now();
			const gateway = await startGateway();
			times.push(performance.now() - before);
			await gateway.stop();
			before = performance.now();
			execFileSync(process.execPath, ['-e', '0']);
			bare.push(performance.now() - before);
		}
		const value = median(times);
		return { value, ok: value <= 250, notes: [`Node alone, to its end, in the same rounds: ${median(bare).toFixed(0)} ms`] };
	},
};

function residentMb(pid: number): number {
	return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

function settled(): Promise<void> {
	return new Promise(resolve => setTimeout(resolve, 1_000));
}
