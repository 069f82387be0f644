import assert from 'node:assert/strict';
import type { WorkflowEvent } from '#contract/events.ts';
import { RunProgress } from '#gateway/mcp/runProgress.ts';

function createProgress(...events: object[]): { readonly messages: string[]; readonly progress: RunProgress } {
	const messages: string[] = [];
	const progress = new RunProgress(message => messages.push(message));
	for (const event of events) {
		progress.handleEvent(event as WorkflowEvent);
	}
	return { messages, progress };
}

describe('progress messages for callers of agents', () => {
	it('report started nodes and iterations, but no nodes inside containers', () => {
		const { messages } = createProgress(
			{ event: 'node_started', data: { node_id: 'a', title: 'Read' } },
			{ event: 'iteration_next', data: { node_id: 'b', title: 'Each', index: 0 } },
			{ event: 'node_started', data: { node_id: 'c', title: 'Inner', iteration_id: 'b' } },
			{ event: 'loop_next', data: { node_id: 'd', title: 'Again', index: 4 } },
		);
		assert.deepEqual(messages, ['Read', 'Each: iteration 1', 'Again: iteration 5']);
	});

	it('report retried and handled failures, and keep the one that ends the run', () => {
		const { messages, progress } = createProgress(
			{ event: 'node_retry', data: { node_id: 'a', title: 'Ask', error: '429', retry_index: 1 } },
			{ event: 'node_finished', data: { node_id: 'a', title: 'Ask', status: 'exception', error: '500' } },
			{ event: 'node_finished', data: { node_id: 'b', title: 'End it', status: 'failed', error: 'no' } },
		);
		assert.deepEqual(messages, ['Ask failed and will be retried: 429', 'Ask failed, but the run continues: 500']);
		assert.equal(progress.failed, "'End it' (b)");
	});

	it('report the tool calls of agents, with and without a graph', () => {
		const { messages } = createProgress(
			{ event: 'agent_log', data: { id: '1', label: 'CALL search', status: 'start' } },
			{ event: 'agent_log', data: { id: '1', label: 'CALL search', status: 'success' } },
			{ event: 'agent_thought', tool: 'search', observation: '' },
			{ event: 'agent_thought', tool: 'search', observation: 'found' },
		);
		assert.deepEqual(messages, ['CALL search', 'Calling search']);
	});
});
