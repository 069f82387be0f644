import assert from 'node:assert/strict';
import { isSendKey } from '#pages/chat/composer/sendKey.ts';

describe('send key', () => {
	const none = { shiftKey: false, altKey: false, ctrlKey: false, metaKey: false };
	for (const [held, enter, ctrlEnter] of [
		[{}, true, false],
		[{ ctrlKey: true }, true, true],
		[{ metaKey: true }, true, true],
		[{ shiftKey: true }, false, false],
		[{ altKey: true }, false, false],
		[{ shiftKey: true, ctrlKey: true }, false, false],
	] as const) {
		it(`accepts or ignores Enter with ${Object.keys(held).join(' and ') || 'no modifier'} as configured`, () => {
			const event = { ...none, ...held } as KeyboardEvent;
			assert.deepEqual([isSendKey(event, 'enter'), isSendKey(event, 'ctrlEnter')], [enter, ctrlEnter]);
		});
	}
});
