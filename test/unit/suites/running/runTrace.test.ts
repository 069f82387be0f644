import assert from 'node:assert/strict';
import type { WorkflowEvent } from '#contract/events.ts';
import { RunTrace } from '#suites/running/runTrace.ts';

/** The answer that a case is checked against after these events of a chat. */
function answerOf(...events: readonly (readonly [event: string, answer: string])[]): unknown {
	const trace = new RunTrace();
	for (const [event, answer] of events) {
		trace.add({ event, task_id: 't', answer } as WorkflowEvent);
	}
	trace.add({ event: 'message_end', task_id: 't', metadata: {} } as WorkflowEvent);
	return trace.end?.outputs?.['answer'];
}

describe('the answer of a chat in a suite', () => {
	it('is what came in pieces, of agents too', () => {
		assert.equal(answerOf(['message', 'Hel'], ['message', 'lo']), 'Hello');
		assert.equal(answerOf(['agent_message', 'Hel'], ['agent_message', 'lo']), 'Hello');
	});

	it('is told once where a closing message says all of it again', () => {
		assert.equal(answerOf(['agent_message', 'Hel'], ['agent_message', 'lo'], ['message', 'Hello']), 'Hello');
	});

	it('is what it was replaced by', () => {
		assert.equal(answerOf(['message', 'bad'], ['message_replace', 'good'], ['message', '!']), 'good!');
	});
});
