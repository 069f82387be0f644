import assert from 'node:assert/strict';
import type { WorkflowEvent } from '#contract/events.ts';
import { RunTrace } from '#suites/running/runTrace.ts';

/** Returns the reply that a case is checked against after these chat events. */
function answerOf(...events: readonly (readonly [event: string, answer: string])[]): unknown {
	const trace = new RunTrace();
	for (const [event, answer] of events) {
		trace.add({ event, task_id: 't', answer } as WorkflowEvent);
	}
	trace.add({ event: 'message_end', task_id: 't', metadata: {} } as WorkflowEvent);
	return trace.end?.outputs?.['answer'];
}

describe('the reply of a chat in a suite', () => {
	it('is assembled from chunks, also for agents', () => {
		assert.equal(answerOf(['message', 'Hel'], ['message', 'lo']), 'Hello');
		assert.equal(answerOf(['agent_message', 'Hel'], ['agent_message', 'lo']), 'Hello');
	});

	it('is not repeated by a final message with the whole text', () => {
		assert.equal(answerOf(['agent_message', 'Hel'], ['agent_message', 'lo'], ['message', 'Hello']), 'Hello');
	});

	it('is the replacement if it was replaced', () => {
		assert.equal(answerOf(['message', 'bad'], ['message_replace', 'good'], ['message', '!']), 'good!');
	});
});
