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

	const problems = { icon: 'warning', name: 'Problems', detail: '', text: 'problems', source: 'problems:' };
	const getBox = () => composer.querySelector('textarea') as unknown as HTMLTextAreaElement;
	const dispatchToBox = (event: unknown) => getBox().dispatchEvent(event as Event);
	const typeText = (text: string) => {
		getBox().value = text;
		getBox().setSelectionRange(text.length, text.length);
		dispatchToBox(new loaded.window.Event('input'));
	};
	const pressKey = (key: string, modifiers = {}) =>
		dispatchToBox(new loaded.window.KeyboardEvent('keydown', { key, cancelable: true, ...modifiers }));

	it('does not show entries that arrive after the message was sent', async () => {
		typeText('@pro');
		composer.querySelector('.send')?.dispatchEvent(new loaded.window.Event('click') as unknown as Event);
		assert.deepEqual(structuredClone(sent), [{ type: 'send', text: '@pro' }]);
		composer.showMentions('@', 'pro', [problems]);
		await composer.updateComplete;
		assert.equal(composer.querySelector('[role="listbox"]'), null);
	});

	it('chooses the first entry if Enter is pressed before the entries have arrived, and sends nothing', () => {
		typeText('look at @pro');
		pressKey('Enter');
		pressKey('Enter');
		assert.deepEqual(structuredClone(sent), [{ type: 'mentions', trigger: '@', query: 'pro' }]);
		composer.showMentions('@', 'pro', [problems]);
		assert.equal(getBox().value, 'look at @problems ');
		assert.deepEqual(structuredClone(sent.slice(1)), [{ type: 'attachContext', source: 'problems:' }]);
		pressKey('Enter');
		assert.deepEqual(structuredClone(sent.at(-1)), { type: 'send', text: 'look at @problems ' });
	});

	it("restores a message that wasn't sent, and keeps what was typed since", () => {
		composer.restoreText('first');
		assert.equal(getBox().value, 'first');
		typeText('second');
		composer.restoreText('first');
		assert.equal(getBox().value, 'first\n\nsecond');
	});

	it('chooses no entry of what was typed before', () => {
		typeText('@');
		composer.showMentions('@', '', [{ ...problems, name: 'Files…', text: 'files:' }]);
		typeText('@pro');
		pressKey('Enter');
		composer.showMentions('@', 'pro', [problems]);
		assert.equal(getBox().value, '@problems ');
	});

	it('sends a message that ends like an entry, but is none, once that is known', () => {
		typeText('ask @bob');
		pressKey('Enter');
		assert.deepEqual(structuredClone(sent), [{ type: 'mentions', trigger: '@', query: 'bob' }]);
		composer.showMentions('@', 'bob', []);
		assert.deepEqual(structuredClone(sent.at(-1)), { type: 'send', text: 'ask @bob' });
	});

	it('breaks the line if Enter does not send and there is no entry', () => {
		composer.preferences = { ...composer.preferences, sendOn: 'ctrlEnter' };
		typeText('ask @bob');
		pressKey('Enter');
		composer.showMentions('@', 'bob', []);
		assert.equal(getBox().value, 'ask @bob\n');
		assert.deepEqual(
			structuredClone(sent).map(({ type }) => type),
			['mentions'],
		);
	});

	for (const [action, act] of Object.entries({ Escape: () => pressKey('Escape'), 'another letter': () => typeText('ask @bobby') })) {
		it(`sends nothing on its own after Enter and ${action}`, () => {
			typeText('ask @bob');
			pressKey('Enter');
			act();
			composer.showMentions('@', 'bob', []);
			assert.deepEqual(
				structuredClone(sent).map(({ type }) => type),
				['mentions'],
			);
		});
	}
});
