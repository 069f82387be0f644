import assert from 'node:assert/strict';
import { sendsOn } from '#pages/chat/composer/sendKey.ts';

describe('the key that sends', () => {
	const none = { shiftKey: false, altKey: false, ctrlKey: false, metaKey: false };
	for (const [held, enter, ctrlEnter] of [
		[{}, true, false],
		[{ ctrlKey: true }, true, true],
		[{ metaKey: true }, true, true],
		[{ shiftKey: true }, false, false],
		[{ altKey: true }, false, false],
		[{ shiftKey: true, ctrlKey: true }, false, false],
	] as const) {
		it(`is Enter with ${Object.keys(held).join(' and ') || 'nothing'} as the setting says`, () => {
			const event = { ...none, ...held } as KeyboardEvent;
			assert.deepEqual([sendsOn(event, 'enter'), sendsOn(event, 'ctrlEnter')], [enter, ctrlEnter]);
		});
	}
});
