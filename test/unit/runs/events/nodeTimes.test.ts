import assert from 'node:assert/strict';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { readNodeTimes } from '#runs/events/nodeTimes.ts';

const createEvent = (name: string, data: object): JournalEntry => ({
	at: 1000,
	event: { event: name, task_id: 't', workflow_run_id: 'r', data },
});

async function* iterateEntries(): AsyncGenerator<JournalEntry> {
	const each = { id: 'each', node_id: 'each', node_type: 'iteration', title: 'Each item', created_at: 1 };
	yield { at: 1000, note: 'of no node' };
	yield createEvent('iteration_started', each);
	for (const [index, seconds] of [0.25, 0.5].entries()) {
		const inner = { id: `x${index}`, node_id: 'x', node_type: 'code', title: 'Take', iteration_id: 'each', iteration_index: index };
		yield createEvent('node_started', inner);
		yield createEvent('node_finished', { ...inner, status: 'succeeded', elapsed_time: seconds });
	}
	yield createEvent('iteration_completed', { ...each, status: 'failed', elapsed_time: 1 });
}

describe('node times', () => {
	it('include all executions of a node', async () => {
		assert.deepEqual(
			[...(await readNodeTimes(iterateEntries()))],
			[
				['each', { title: 'Each item', depth: 0, statuses: ['failed'], count: 1, total: 1000 }],
				['x', { title: 'Take', depth: 1, statuses: ['succeeded'], count: 2, total: 750 }],
			],
		);
	});

	it('keep few statuses of a node, because a service may send another one for each execution', async () => {
		const entries = (async function* () {
			for (let at = 0; at < 100; at++) {
				yield createEvent('node_finished', { id: `x${at}`, node_id: 'x', status: `status ${at}`, elapsed_time: 1 });
			}
		})();
		const times = (await readNodeTimes(entries)).get('x');
		assert.deepEqual([times?.count, times?.statuses.length, times?.statuses[0]], [100, 20, 'status 0']);
	});
});
