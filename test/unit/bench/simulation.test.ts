import assert from 'node:assert/strict';
import { computeMeanWait, computeMostArrivals, type Load, simulateRuns } from '../../bench/scaling/simulation.ts';

const createLoad = (load: Partial<Load>): Load => ({ slots: 4, arrivals: 3, modelSeconds: 1, processorSeconds: 0, ...load });

function assertClose(actual: number, expected: number, tolerance: number): void {
	assert.ok(Math.abs(actual / expected - 1) <= tolerance, `${actual} differs from ${expected}`);
}

describe('the simulation of runs', () => {
	it('makes runs wait for slots as long as the formula for M/M/c queues says', async () => {
		for (const load of [createLoad({}), createLoad({ slots: 1, arrivals: 0.5 }), createLoad({ slots: 16, arrivals: 12 })]) {
			assertClose((await simulateRuns(load, 60_000)).meanWait, computeMeanWait(load), 0.1);
		}
	});

	it('takes as long as an M/M/1 queue if only the processor is busy', async () => {
		const load = createLoad({ slots: 10_000, arrivals: 50, modelSeconds: 0, processorSeconds: 0.01 });
		assertClose((await simulateRuns(load, 40_000)).meanTotal, 1 / (1 / 0.01 - 50), 0.05);
	});

	it('refuses runs that the queue has no place for', async () => {
		const overload = createLoad({ slots: 2, arrivals: 4 });
		const { refused, meanWait } = await simulateRuns(overload, 20_000);
		assertClose(refused, 0.5, 0.05);
		assert.ok(meanWait > 30, `${meanWait}`);
	});

	it('gives the same result for the same seed', async () => {
		const load = createLoad({});
		assert.deepEqual(await simulateRuns(load, 1_000, 7), await simulateRuns(load, 1_000, 7));
		assert.notDeepEqual(await simulateRuns(load, 1_000, 7), await simulateRuns(load, 1_000, 8));
	});
});

describe('the formulas for queues of runs', () => {
	it('know the textbook values', () => {
		// Erlang C for 2 servers and an offered load of 1: a third of the callers wait, half a second on average over all
		assertClose(computeMeanWait({ slots: 2, arrivals: 1, modelSeconds: 1 }), 1 / 3, 1e-9);
		assertClose(computeMeanWait({ slots: 1, arrivals: 0.5, modelSeconds: 1 }), 1, 1e-9);
		assert.equal(computeMeanWait({ slots: 1, arrivals: 1, modelSeconds: 1 }), Number.POSITIVE_INFINITY);
	});

	it('name the bottleneck', () => {
		assert.equal(computeMostArrivals({ slots: 256, modelSeconds: 10, processorSeconds: 0 }), 25.6);
		assert.equal(computeMostArrivals({ slots: 1_000, modelSeconds: 1, processorSeconds: 0.005 }), 200);
	});
});
