import { CodeRunner } from '../../../src/gateway/engine/code/codeRunner.ts';
import { cpuMs, median, quantile } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';

const source = 'function main({ words }) { return { count: words.length, longest: [...words].sort((a, b) => b.length - a.length)[0] }; }';
const inputs = { words: 'the quick brown fox jumps over the lazy dog'.split(' ') };
const signal = new AbortController().signal;

/** Calls of a small program, each in a fresh context. */
export const codeCall: Measure = {
	name: 'code',
	measure: 'JavaScript code node, a fresh context each, p50 warm',
	unit: 'ms',
	limit: 2,
	async run() {
		const runner = new CodeRunner();
		const times: number[] = [];
		for (let i = -100; i < 1_000; i++) {
			const ms = await timed(runner);
			if (i >= 0) {
				times.push(ms);
			}
		}
		await runner.close();
		const value = median(times);
		return { value, ok: value <= 2, notes: [`p99 ${quantile(times, 0.99).toFixed(2)} ms`] };
	},
};

/**
 * The first call of a gateway that has loaded an agent with code; the thread has started by then (`CodeRunner.warm`). In processor time of
 * all threads: a single call says more of what else the machine does than of itself.
 */
export const firstCodeCall: Measure = {
	name: 'code-first',
	measure: 'JavaScript code node, the first after an agent with code was loaded',
	unit: 'ms',
	limit: 10,
	async run() {
		const warm: number[] = [];
		const wall: number[] = [];
		const cold: number[] = [];
		for (let i = 0; i < 15; i++) {
			const ready = new CodeRunner();
			await ready.warm();
			warm.push(
				await cpuMs(async () => {
					wall.push(await timed(ready));
				}),
			);
			await ready.close();
			const fresh = new CodeRunner();
			cold.push(await cpuMs(() => timed(fresh)));
			await fresh.close();
		}
		const value = median(warm);
		return {
			value,
			ok: value <= 10,
			notes: [
				`${median(wall).toFixed(1)} ms by the clock; where its thread has still to start ${median(cold).toFixed(1)} ms of processor time`,
			],
		};
	},
};

async function timed(runner: CodeRunner): Promise<number> {
	const began = performance.now();
	await runner.run(source, inputs, signal);
	return performance.now() - began;
}
