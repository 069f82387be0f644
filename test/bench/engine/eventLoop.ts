import { setTimeout as delay } from 'node:timers/promises';
import type { TextModels } from '../../../src/engine/run/engineTypes.ts';
import { computeQuantile } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { waitingAgent } from './agents.ts';
import { createAgentRunner } from './runner.ts';

const runs = 200;
const tickMs = 5;

const modelMs = 2_000;
const wordMs = 50;

/** A model that sends a word every 50 ms, for two seconds. */
const slowModel: TextModels = {
	async *streamReply(_, signal) {
		for (let i = 0; i < modelMs / wordMs; i++) {
			await delay(wordMs, undefined, { signal });
			yield { type: 'text', text: 'word ' };
		}
		yield { type: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: modelMs / wordMs } };
	},
};

/**
 * Measures how late a timer fires while 200 runs wait for their model and stream its words, compared with an idle process. Excludes other
 * work on the machine.
 */
export const eventLoop: Measure = {
	name: 'event-loop',
	measure: `${runs} concurrent runs of an agent that waits for its model: event-loop delay p99 over idle`,
	unit: 'ms',
	limits: { 'over idle': { most: 5 } },
	async run(inRounds) {
		const runner = createAgentRunner(slowModel);
		return inRounds({ warmUp: 1, rounds: 7 }, async () => {
			const idle = await measureTickDelays(() => delay(modelMs));
			const busy = await measureTickDelays(() => Promise.all(Array.from({ length: runs }, () => runner.run(waitingAgent))));
			return {
				values: { 'over idle': computeQuantile(busy.own, 0.99) - computeQuantile(idle.own, 0.99) },
				costs: {
					idle: computeQuantile(idle.own, 0.99),
					busy: computeQuantile(busy.own, 0.99),
					'busy, including other work on the machine': computeQuantile(busy.wall, 0.99),
				},
			};
		});
	},
};

/** Measures how late ticks were during a step. `own` counts only the time in which this thread worked. */
async function measureTickDelays(step: () => Promise<unknown>): Promise<{ readonly own: number[]; readonly wall: number[] }> {
	const watch = watchTickLateness();
	await step();
	const ticks = watch.stop();
	return { own: ticks.map(({ wall, work }) => Math.min(wall, work)), wall: ticks.map(({ wall }) => wall) };
}

/**
 * How late a tick was, and how long this thread worked since the previous tick, in milliseconds. A late tick without work is caused by the
 * machine.
 */
interface Tick {
	readonly wall: number;
	readonly work: number;
}

function watchTickLateness(): { stop(): readonly Tick[] } {
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
