import type { Measure } from '../harness/table.ts';
import { computeMeanWait, computeMostArrivals, type Load, simulateRuns } from './simulation.ts';

const simulatedRuns = 50_000;

/** Default of `--max-concurrent-runs`. */
const slots = 256;

/** Runs whose models take this many seconds. A processor time of 10 ms has room for runs of many nodes and for a slow machine. */
const gateways: readonly Omit<Load, 'arrivals'>[] = [
	{ slots, modelSeconds: 1, processorSeconds: 0.01 },
	{ slots, modelSeconds: 10, processorSeconds: 0.01 },
	{ slots, modelSeconds: 60, processorSeconds: 0.01 },
	{ slots: 2_048, modelSeconds: 60, processorSeconds: 0.01 },
];

/** Fractions of the runs per second at which the queue would grow without end. */
const utilizations = [0.7, 0.9, 0.95];
/** Share above the limit in the example of a queue that fills up, and the places in the queue for each slot (runSlots.ts). */
const excess = 0.1;
const placesPerSlot = 40;

/**
 * Simulates the queue of a gateway, and prints how long runs wait. The floor is the formula for a queue without the gateway's processor
 * (Erlang C) at eight tenths of its slots.
 */
export const queues: Measure = {
	name: 'queues',
	measure: `mean wait for a slot of ${simulatedRuns} simulated runs, over the formula for M/M/c queues`,
	unit: '×',
	costUnit: 's',
	limits: { 'formula, at least': { least: 0.8 }, 'formula, at most': { most: 1.2 } },
	async run(inRounds) {
		const load: Load = { slots: 16, arrivals: 12.8, modelSeconds: 1, processorSeconds: 0 };
		const formula = computeMeanWait(load);
		let seed = 0;
		const series = await inRounds({ warmUp: 0, rounds: 5 }, async () => {
			const { meanWait } = await simulateRuns(load, simulatedRuns, ++seed);
			return {
				values: { 'formula, at least': meanWait / formula, 'formula, at most': meanWait / formula },
				costs: { simulated: meanWait, formula },
			};
		});
		return { ...series, notes: await describeWaits() };
	},
};

async function describeWaits(): Promise<readonly string[]> {
	const lines: string[] = [];
	for (const gateway of gateways) {
		const most = computeMostArrivals(gateway);
		lines.push(
			`${gateway.slots} slots, models ${gateway.modelSeconds} s, processor ${gateway.processorSeconds * 1000} ms: at most ${most.toFixed(1)} runs/s`,
		);
		for (const utilization of utilizations) {
			const waits = await simulateRuns({ ...gateway, arrivals: most * utilization }, simulatedRuns);
			lines.push(
				`  ${(most * utilization).toFixed(1)} runs/s (${Math.round(utilization * 100)} %): wait ${waits.meanWait.toFixed(2)} s, p99 ${waits.p99Wait.toFixed(1)} s, whole run ${waits.meanTotal.toFixed(1)} s`,
			);
		}
		const minutes = (placesPerSlot * gateway.slots) / (most * excess) / 60;
		lines.push(
			`  ${(most * (1 + excess)).toFixed(1)} runs/s: the queue is full after ${minutes.toFixed(0)} minutes, then runs are refused`,
		);
	}
	return lines;
}
