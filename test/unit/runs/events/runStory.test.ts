import assert from 'node:assert/strict';
import { cutValue } from '#base/text/cutValue.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { readRunStory } from '#runs/events/runStory.ts';

const createEntry = (event: string, data: object): JournalEntry => ({
	at: 1,
	event: { event, task_id: 't', workflow_run_id: 'r', data } as unknown as WorkflowEvent,
});
const createNode = (id: string, more: object = {}) => ({ id, node_id: `node-${id}`, node_type: 'code', title: id.toUpperCase(), ...more });

describe('the prompt of a question about a run', () => {
	it('contains the inputs, and the failed or unfinished nodes with their inputs and outputs', async () => {
		const story = await readRunStory([
			{ at: 1, request: { model: 'm', inputs: { text: 'in' } } },
			createEntry('node_started', createNode('a')),
			createEntry('node_finished', createNode('a', { status: 'succeeded', outputs: { x: 1 } })),
			createEntry('iteration_started', createNode('each', { node_type: 'iteration', inputs: { items: [1] } })),
			createEntry('node_started', createNode('b', { iteration_id: 'node-each', inputs: { y: 2 } })),
			createEntry('node_finished', createNode('b', { status: 'failed', error: 'it broke', execution_metadata: { iteration_index: 1 } })),
			createEntry(
				'node_finished',
				createNode('c', { status: 'exception', error: 'no answer', inputs: {}, outputs: { error_message: 'no answer' } }),
			),
			{ at: 2, note: 'The connection broke.' },
		]);
		assert.deepEqual(story, {
			inputs: { text: 'in' },
			more: 0,
			nodes: [
				{ title: 'B', node_id: 'node-b', node_type: 'code', status: 'failed', round: 2, error: 'it broke', inputs: { y: 2 } },
				{
					title: 'C',
					node_id: 'node-c',
					node_type: 'code',
					status: 'exception',
					error: 'no answer',
					inputs: {},
					outputs: { error_message: 'no answer' },
				},
				{ title: 'EACH', node_id: 'node-each', node_type: 'iteration', status: 'end not reported', inputs: { items: [1] } },
			],
		});
	});

	it('contains the number of omitted nodes', async () => {
		const failed = Array.from({ length: 14 }, (_, at) =>
			createEntry('node_finished', createNode(`n${at}`, { status: 'failed', error: 'e' })),
		);
		const { nodes, more } = await readRunStory(failed);
		assert.deepEqual([nodes.length, more], [10, 4]);
	});

	it('contains a note in each shortened value, and small values unchanged', () => {
		const small = { a: [1, 'x'] };
		assert.equal(cutValue(small, 100), small);
		assert.equal(cutValue(undefined, 1), undefined);
		assert.equal(cutValue('x'.repeat(1500), 1000), `${'x'.repeat(1000)}… (cut: the first 1,000 of 1,500 characters)`);
		assert.equal(cutValue({ a: 'long' }, 5), '{"a":… (cut: the first 5 of 12 characters)');
	});
});
