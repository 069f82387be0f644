import assert from 'node:assert/strict';
import type { WorkflowEvent } from '#contract/events.ts';
import { RunTrace } from '#suites/running/runTrace.ts';

/** Returns the reply that a case is checked against after these chat events. */
function getAnswer(...events: readonly (readonly [event: string, answer: string])[]): unknown {
	const trace = new RunTrace();
	for (const [event, answer] of events) {
		trace.add({ event, task_id: 't', answer } as WorkflowEvent);
	}
	trace.add({ event: 'message_end', task_id: 't', metadata: {} } as WorkflowEvent);
	return trace.end?.outputs?.['answer'];
}

describe('the nodes of a run in a suite', () => {
	it('have their whole error for checks', () => {
		const trace = new RunTrace();
		const error = `${'x'.repeat(5000)} the cause`;
		const data = { id: 'a', node_id: 'a', node_type: 'code', title: 'A', status: 'failed', error };
		for (const event of ['node_started', 'node_finished']) {
			trace.add({ event, task_id: 't', data } as unknown as WorkflowEvent);
		}
		assert.equal(trace.getNode('a')?.error, error);
		trace.add({ event: 'node_started', task_id: 't', data: { ...data, id: 'b' } } as unknown as WorkflowEvent);
		trace.add({
			event: 'node_finished',
			task_id: 't',
			data: { ...data, id: 'b', status: 'succeeded', error: null },
		} as unknown as WorkflowEvent);
		assert.equal(trace.getNode('a')?.error, undefined);
	});
});

describe('the reply of a chat in a suite', () => {
	it('is assembled from chunks, also for agents', () => {
		assert.equal(getAnswer(['message', 'Hel'], ['message', 'lo']), 'Hello');
		assert.equal(getAnswer(['agent_message', 'Hel'], ['agent_message', 'lo']), 'Hello');
	});

	it('is not repeated by a final message with the whole text', () => {
		assert.equal(getAnswer(['agent_message', 'Hel'], ['agent_message', 'lo'], ['message', 'Hello']), 'Hello');
	});

	it('is the replacement if it was replaced', () => {
		assert.equal(getAnswer(['message', 'bad'], ['message_replace', 'good'], ['message', '!']), 'good!');
	});

	it('has at most as many characters as the text of a run', () => {
		const chunk = 'x'.repeat(300_000);
		assert.equal(getAnswer(...Array.from({ length: 5 }, () => ['message', chunk] as const)), 'x'.repeat(1_000_000));
		assert.equal(getAnswer(['message', 'x'], ['message_replace', chunk.repeat(5)], ['message', chunk]), 'x'.repeat(1_000_000));
	});
});

describe('the cost of a run in a suite', () => {
	it('has the currencies of all nodes', () => {
		const trace = new RunTrace();
		for (const [id, price, currency] of [
			['a', '1', 'USD'],
			['b', '100', 'JPY'],
		]) {
			const data = { id, node_id: id, node_type: 'llm', title: id, status: 'succeeded' };
			const execution_metadata = { total_tokens: 1, total_price: price, currency };
			trace.add({ event: 'node_started', task_id: 't', data } as unknown as WorkflowEvent);
			trace.add({ event: 'node_finished', task_id: 't', data: { ...data, execution_metadata } } as unknown as WorkflowEvent);
		}
		assert.deepEqual(trace.cost, { cost: 101, currency: 'JPY + USD' });
	});
});
