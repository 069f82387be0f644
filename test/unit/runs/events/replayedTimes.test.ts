import assert from 'node:assert/strict';
import type { WorkflowEvent } from '#contract/events.ts';
import { ReplayedTimes } from '#runs/events/replayedTimes.ts';

describe('times of replayed events', () => {
	const createEvent = (name: string, data: object): WorkflowEvent => ({ event: name, data }) as unknown as WorkflowEvent;

	it('follow the timestamps, stay in order within a second, and end a node after its elapsed time', () => {
		const times = new ReplayedTimes(100_000);
		const events = [
			createEvent('workflow_started', { id: 'run', created_at: 100 }),
			createEvent('node_started', { id: 'a', created_at: 100 }),
			createEvent('node_finished', { id: 'a', created_at: 100, elapsed_time: 0.4 }),
			createEvent('node_started', { id: 'b', created_at: 100 }),
			createEvent('node_finished', { id: 'b', created_at: 100, elapsed_time: 2.5 }),
			createEvent('node_started', { id: 'c', created_at: 107 }),
			createEvent('text_chunk', { text: 'x' }),
		];
		assert.deepEqual(
			events.map(each => times.calculateEventTime(each)),
			[100_000, 100_000, 100_400, 100_400, 102_900, 107_000, 107_000],
		);
	});

	it('are finite for any timestamps of a service', () => {
		const times = new ReplayedTimes(100_000);
		for (const odd of [1e300, -5, 1e18, Number.NaN, '7', null, {}]) {
			for (const name of ['node_started', 'node_finished', 'text_chunk']) {
				const at = times.calculateEventTime(createEvent(name, { id: 'a', created_at: odd, elapsed_time: odd }));
				assert.ok(new Date(at).toISOString(), `${name} ${odd}`);
			}
		}
	});

	it('keep parallel nodes parallel', () => {
		const times = new ReplayedTimes(100_000);
		const events = [
			createEvent('node_started', { id: 'a', created_at: 100.2 }),
			createEvent('node_started', { id: 'b', created_at: 100.3 }),
			createEvent('node_finished', { id: 'a', created_at: 100.2, elapsed_time: 5 }),
			createEvent('node_finished', { id: 'b', created_at: 100.3, elapsed_time: 1 }),
		];
		assert.deepEqual(
			events.map(each => times.calculateEventTime(each)),
			[100_200, 100_300, 105_200, 101_300],
		);
	});
});
