import assert from 'node:assert/strict';
import path from 'node:path';
import type { FromPanel } from '#pages/chat/panel/panelProtocol.ts';
import type { ShownTurn } from '#pages/chat/transcript/chatChanges.ts';
import type { ChatTurnElement } from '#pages/chat/turns/chatTurn.ts';
import { createFormDrafts } from '#pages/chat/turns/formDrafts.ts';
import type { FormDraft } from '#pages/shared/form/formDraft.ts';
import { type PageWindow, runPage } from '../../graph/nodeForm/pageBundle.ts';

const question: ShownTurn = {
	id: 'q',
	parent: null,
	role: 'user',
	parts: [{ kind: 'text', text: 'first' }],
	at: 0,
	branch: { index: 0, count: 1 },
};
const calling: ShownTurn = {
	...question,
	id: 'a',
	role: 'assistant',
	parts: [
		{ kind: 'toolCall', id: 'c1', name: 'weather', input: '{}' },
		{ kind: 'toolCall', id: 'c2', name: 'time', input: '{}' },
	],
	reply: { status: 'done', endpoint: 'messages', connection: 'c', model: 'm' },
};

describe('a turn of the chat', () => {
	let loaded: PageWindow<object>;
	let saved: { forms?: Record<string, FormDraft> };
	let sent: FromPanel[];
	before(async () => {
		loaded = await runPage(path.resolve(import.meta.dirname, '../../../../../src/pages/chat/turns/chatTurn.ts'));
	});
	beforeEach(() => {
		saved = {};
		sent = [];
	});

	/** Shows a turn in a new page with the state that the previous one saved. */
	async function openPage(turn: ShownTurn): Promise<ChatTurnElement> {
		const { document } = loaded.window;
		const host = {
			state: structuredClone(saved),
			saveFields(fields: { forms: Record<string, FormDraft> }) {
				saved = this.state = structuredClone(fields);
			},
		};
		const element = document.createElement('chat-turn') as ChatTurnElement;
		Object.assign(element, {
			turn,
			last: true,
			strings: new Proxy({}, { get: (_, name) => (name === 'form' ? {} : String(name)) }),
			sendOn: 'enter',
			post: (message: FromPanel) => sent.push(structuredClone(message)),
			drafts: createFormDrafts(host),
		});
		document.body.replaceChildren(element as unknown as Node);
		await element.updateComplete;
		return element;
	}
	const fire = (element: Element | null | undefined, type: string, fields = {}) =>
		element?.dispatchEvent(Object.assign(new loaded.window.Event(type, { bubbles: true }), fields) as unknown as Event);
	const typeText = (box: HTMLTextAreaElement | null | undefined, text: string) => {
		box!.value = text;
		fire(box, 'input');
	};
	const getEditor = (element: ChatTurnElement) => element.querySelector<HTMLTextAreaElement>('textarea.edit');
	const openEditor = async (element: ChatTurnElement) => {
		fire(element.querySelector('.codicon-edit'), 'click');
		await element.updateComplete;
	};

	it('keeps an edit that was not sent when the page is hidden or reloaded, and forgets it when it is sent or canceled', async () => {
		let element = await openPage(question);
		await openEditor(element);
		assert.equal(getEditor(element)?.value, 'first');
		typeText(getEditor(element), 'first, but better');
		element = await openPage(question);
		assert.equal(getEditor(element)?.value, 'first, but better');
		fire(getEditor(element), 'keydown', { key: 'Enter' });
		assert.deepEqual(sent, [{ type: 'edit', turn: 'q', text: 'first, but better' }]);
		element = await openPage(question);
		assert.equal(getEditor(element), null);
		await openEditor(element);
		typeText(getEditor(element), 'never mind');
		fire(getEditor(element), 'keydown', { key: 'Escape' });
		await element.updateComplete;
		await openEditor(element);
		assert.equal(getEditor(element)?.value, 'first');
	});

	it('keeps results of tools that were not sent when the page is hidden or reloaded', async () => {
		const listBoxes = (element: ChatTurnElement) => [...element.querySelectorAll<HTMLTextAreaElement>('textarea.result')];
		typeText(listBoxes(await openPage(calling))[1], 'noon');
		const element = await openPage(calling);
		assert.deepEqual(
			listBoxes(element).map(box => box.value),
			['', 'noon'],
		);
		fire(element.querySelector('.toolResults vscode-button'), 'click');
		assert.deepEqual(sent, [
			{
				type: 'toolResult',
				turn: 'a',
				results: [
					{ id: 'c1', name: 'weather', output: '' },
					{ id: 'c2', name: 'time', output: 'noon' },
				],
			},
		]);
		assert.deepEqual(
			listBoxes(await openPage(calling)).map(box => box.value),
			['', ''],
		);
	});
});
