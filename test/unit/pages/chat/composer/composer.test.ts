import assert from 'node:assert/strict';
import path from 'node:path';
import type { ChatComposer } from '#pages/chat/composer/composer.ts';
import type { FromPanel } from '#pages/chat/panel/panelProtocol.ts';
import { type PageWindow, runPage } from '../../graph/nodeForm/pageBundle.ts';

describe('the message box of the chat', () => {
	let loaded: PageWindow<object>;
	let composer: ChatComposer;
	let sent: FromPanel[];

	before(async () => {
		loaded = await runPage(path.resolve(import.meta.dirname, '../../../../../src/pages/chat/composer/composer.ts'));
	});
	beforeEach(async () => {
		const { document } = loaded.window;
		sent = [];
		composer = document.createElement('chat-composer') as ChatComposer;
		Object.assign(composer, {
			head: { attachments: [], busy: false, ask: '', tools: [] },
			strings: {},
			preferences: { sendOn: 'enter' },
			post: (message: FromPanel) => sent.push(message),
			ready: () => true,
			keepDraft: () => {},
		});
		document.body.replaceChildren(composer as unknown as Node);
		await composer.updateComplete;
	});

	it('does not show entries that arrive after the message was sent', async () => {
		const box = composer.querySelector('textarea');
		assert.ok(box);
		box.value = '@pro';
		box.setSelectionRange(4, 4);
		box.dispatchEvent(new loaded.window.Event('input') as unknown as Event);
		box.dispatchEvent(new loaded.window.KeyboardEvent('keydown', { key: 'Enter', cancelable: true }) as unknown as Event);
		assert.deepEqual(structuredClone(sent), [{ type: 'send', text: '@pro' }]);
		composer.showMentions('@', 'pro', [{ icon: 'warning', name: 'Problems', detail: '', text: 'problems' }]);
		await composer.updateComplete;
		assert.equal(composer.querySelector('[role="listbox"]'), null);
	});
});
