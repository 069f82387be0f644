import assert from 'node:assert/strict';
import { MessageHistory } from '#pages/chat/composer/messageHistory.ts';

describe('the history of sent messages', () => {
	it('goes back to the oldest message, and forward to the draft', () => {
		const history = new MessageHistory();
		history.replaceMessages(['newest', 'oldest']);
		assert.deepEqual(
			[history.getOlderMessage('a draft'), history.getOlderMessage('newest'), history.getOlderMessage('oldest')],
			['newest', 'oldest', undefined],
		);
		assert.ok(history.recalling);
		assert.deepEqual([history.getNewerMessage(), history.getNewerMessage(), history.getNewerMessage()], ['newest', 'a draft', undefined]);
		assert.ok(!history.recalling);
	});

	it('starts with the last sent message, without repetitions and blanks', () => {
		const history = new MessageHistory();
		for (const text of ['one', 'two', 'two', ' ']) {
			history.add(text);
		}
		assert.deepEqual(
			[history.getOlderMessage(''), history.getOlderMessage('two'), history.getOlderMessage('one')],
			['two', 'one', undefined],
		);
		history.stopRecalling();
		assert.equal(history.getOlderMessage('one, edited'), 'two');
	});
});
