import { setTimeout as delay } from 'node:timers/promises';
import type { TextModels } from '../../../src/gateway/engine/engineTypes.ts';
import { quantile } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { waitingAgent } from './agents.ts';
import { createRunner } from './runner.ts';

const runs = 200;
const limit = 20;
const tickMs = 5;

/** A model that sends a word every 50 ms, for two seconds. */
const slowModel: TextModels = {
	async *stream(_, signal) {
		for (let i = 0; i < 40; i++) {
			await delay(50, undefined, { signal });
			yield { type: 'text', text: 'word ' };
		}
		yield { type: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 40 } };
	},
};

/** How late a timer comes while 200 runs wait on their model and stream what it says; what else the machine does is taken out. */
export const eventLoop: Measure = {
	name: 'event-loop',
	measure: '200 runs at once of an agent that waits on its model: event-loop delay p99',
	unit: 'ms',
	limit,
	async run() {
		const runner = createRunner(slowModel);
		await runner.run(waitingAgent);
		const watch = lateness();
		await Promise.all(Array.from({ length: runs }, () => runner.run(waitingAgent)));
		const ticks = watch.stop();
		const own = ticks.map(({ wall, work }) => Math.min(wall, work));
		const wall = ticks.map(tick => tick.wall);
		const value = quantile(own, 0.99);
		return {
			value,
			ok: value <= limit,
			notes: [
				`p50 ${quantile(own, 0.5).toFixed(2)} ms, worst ${Math.max(...own).toFixed(1)} ms; with all that the machine does p99 ${quantile(wall, 0.99).toFixed(1)} ms`,
			],
		};
	},
};

/** Milliseconds that a tick was late, and that this thread worked since the tick before: being late without work is the machine's doing. */
interface Tick {
	readonly wall: number;
	readonly work: number;
}

function lateness(): { stop(): readonly Tick[] } {
	const ticks: Tick[] = [];
	let last = performance.now();
	let before = process.threadCpuUsage();
	const timer = setInterval(() => {
		const now = performance.now();
		const { user, system } = process.threadCpuUsage(before);
		ticks.push({ wall: Math.max(0, now - last - tickMs), work: (user + system) / 1000 });
		last = now;
		before = process.threadCpuUsage();
	}, tickMs);
	return {
		stop() {
			clearInterval(timer);
			return ticks;
		},
	};
}
