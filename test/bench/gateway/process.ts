import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { measureWallMs, runContest } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { createStreamBody, sendRequest, sendRequestBurst } from './caller.ts';
import { type Contestant, startGateway, startMinimalPassthrough } from './contestants.ts';

/** Milliseconds until a new process is idle. */
const settledMs = 1_000;

/** Measures the resident memory of fresh processes, when idle and after the same requests and streams. */
export const memory: Measure = {
	name: 'memory',
	measure: 'memory when idle, and after 20,000 requests with 64 in flight and 10 streams of 100,000 events, over a minimal passthrough',
	unit: '×',
	costUnit: 'MB',
	limits: { idle: { most: 1.1 }, 'after the load': { most: 1.1 } },
	run: inRounds =>
		inRounds({ warmUp: 0, rounds: 3 }, async () => {
			const gateway = await measureResidentMegabytes(startGateway);
			const minimal = await measureResidentMegabytes(startMinimalPassthrough);
			return {
				values: { idle: gateway.idle / minimal.idle, 'after the load': gateway.loaded / minimal.loaded },
				costs: {
					'gateway idle': gateway.idle,
					'minimal idle': minimal.idle,
					'gateway after the load': gateway.loaded,
					'minimal after the load': minimal.loaded,
				},
			};
		}),
};

async function measureResidentMegabytes(
	start: () => Promise<Contestant & { stop(): Promise<void> }>,
): Promise<{ readonly idle: number; readonly loaded: number }> {
	const started = await start();
	try {
		await delay(settledMs);
		const idle = readResidentMegabytes(started.pid);
		await sendRequestBurst(started, 20_000, 64);
		await Promise.all(Array.from({ length: 10 }, () => sendRequest(started, createStreamBody(100_000))));
		return { idle, loaded: readResidentMegabytes(started.pid) };
	} finally {
		await started.stop();
	}
}

/** Returns the resident memory of a process. */
export function readResidentMegabytes(pid: number): number {
	return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/**
 * Measures the time from the start of the process to the line that it prints when it listens and its store is open. The floor is a Node
 * process that runs nothing and exits.
 */
export const start: Measure = {
	name: 'start',
	measure: 'start until listening with an open store, over Node alone',
	unit: '×',
	costUnit: 'ms',
	limits: { 'Node alone': { most: 3.5 } },
	run: inRounds =>
		inRounds({ warmUp: 1, rounds: 9 }, async () => {
			const costs = await runContest({
				gateway: async () => {
					const began = performance.now();
					const gateway = await startGateway();
					const took = performance.now() - began;
					await gateway.stop();
					return took;
				},
				node: () => measureWallMs(async () => execFileSync(process.execPath, ['-e', '0'])),
			});
			return { values: { 'Node alone': costs.gateway / costs.node }, costs };
		}),
};
