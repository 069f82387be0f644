import assert from 'node:assert/strict';
import { parsePanelMessage } from '#pages/chat/panel/panelMessages.ts';

describe('messages of the chat page', () => {
	// the page has cleared its box by then
	it('keep what the user wrote, however long it is', () => {
		const text = 'x'.repeat(5_000_000);
		assert.deepEqual(parsePanelMessage({ type: 'send', text }), { type: 'send', text });
		assert.deepEqual(parsePanelMessage({ type: 'edit', turn: 't', text }), { type: 'edit', turn: 't', text });
		const answer = { type: 'answerForm', turn: 't', form: 'f', action: 'a', values: { v: text } };
		assert.deepEqual(parsePanelMessage(answer), answer);
	});
});
