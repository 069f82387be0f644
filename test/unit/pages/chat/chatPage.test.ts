import assert from 'node:assert/strict';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { FromHost } from '#pages/chat/panel/panelProtocol.ts';
import { getPanelStrings } from '#pages/chat/panel/panelStrings.ts';
import type { ShownTurn } from '#pages/chat/transcript/chatChanges.ts';
import { type PageWindow, runPage } from '../graph/nodeForm/pageBundle.ts';

const reply = { status: 'streaming', endpoint: 'messages', connection: 'c', model: 'm' } as const;
const createTurn = (id: string): ShownTurn => ({
	id,
	parent: null,
	role: 'assistant',
	parts: [],
	at: 0,
	reply,
	branch: { index: 0, count: 1 },
});

describe('the chat page', () => {
	let loaded: PageWindow<{ ChatPage: new (root: HTMLElement) => { start(): void } }>;

	before(async function () {
		// bundles the page
		this.timeout(60_000);
		const observer = class {
			observe() {}
			unobserve() {}
			disconnect() {}
		};
		loaded = await runPage(path.resolve(import.meta.dirname, '../../../../src/pages/chat/chatPage.ts'), {
			ResizeObserver: observer,
			IntersectionObserver: observer,
			// as the standard says, for the characters of this test
			CSS: { escape: (text: string) => text.replaceAll(/[^\w-]/g, '\\$&') },
			acquireVsCodeApi: () => ({ postMessage() {}, getState: () => ({}), setState() {} }),
		});
		loaded.window.Element.prototype.scrollTo ??= () => {};
	});
	after(() => loaded.window.close());

	it('updates turns with any ID, as in an imported chat', async () => {
		const { window } = loaded;
		const send = (message: FromHost) => window.dispatchEvent(new window.MessageEvent('message', { data: message }));
		new loaded.exports.ChatPage(window.document.body).start();
		const head = { chatId: 'c', model: 'm', problems: {}, attachments: [], fields: [], settings: {}, tools: { chosen: 0 }, busy: true };
		const turns = ['"] *', "it's \\ it", 'plain'].map(createTurn);
		send({
			type: 'snapshot',
			seq: 1,
			head,
			turns,
			strings: getPanelStrings({ t: fillPlaceholders } as never),
			preferences: { sendOn: 'enter', harmCategories: [], harmThresholds: [] },
			history: [],
		} as unknown as FromHost);
		await new Promise(resolve => window.setTimeout(resolve));
		const changes = turns.map(({ id }) => ({ type: 'replyChanged', turn: id, reply: { ...reply, status: 'stopped' } }) as const);
		send({ type: 'changes', seq: 2, changes });
		const elements = [...window.document.querySelectorAll('chat-turn')] as unknown as {
			updateComplete: Promise<unknown>;
			textContent: string;
		}[];
		assert.equal(elements.length, 3);
		await new Promise(resolve => window.requestAnimationFrame(() => window.setTimeout(resolve)));
		await Promise.all(elements.map(({ updateComplete }) => updateComplete));
		for (const { textContent } of elements) {
			assert.doesNotMatch(textContent, /Waiting/);
		}
	});
});
