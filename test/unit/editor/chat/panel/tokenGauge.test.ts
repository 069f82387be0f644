import assert from 'node:assert/strict';
import { getContextWindow, type ModelLimits } from '#editor/chat/modelLimits.ts';
import { TokenGauge } from '#editor/chat/panel/tokenGauge.ts';
import type { Chat } from '#editor/chat/transcripts/chat.ts';
import type { Usage } from '#pages/chat/transcript/transcript.ts';

/** Creates a fake chat whose last reply has the given usage. `shown` resolves when the chat refreshes. */
function createChatWith(
	usage: Usage | undefined,
	more: { endpoint?: string; model?: string } = {},
): { readonly chat: Chat; readonly shown: Promise<void> } {
	const { endpoint = 'messages', model = 'm' } = more;
	const { promise, resolve } = Promise.withResolvers<void>();
	const turns = [
		{ id: 'u', parent: null },
		{ id: 'a', parent: 'u', at: 0, reply: { endpoint, model, usage } },
	];
	const transcript = { connectionId: 'c', endpoint, models: { [endpoint]: 'm' }, turns, leaf: 'a' };
	return { chat: { transcript, refreshViews: resolve } as unknown as Chat, shown: promise };
}

describe('the token gauge', () => {
	let asked: number;
	let windows: ModelLimits | undefined;
	let now: number;
	let gauge: TokenGauge;
	beforeEach(() => {
		asked = 0;
		windows = new Map([['m', { window: 1000 }]]);
		now = 0;
		gauge = new TokenGauge(
			async () => {
				asked++;
				return windows;
			},
			() => now,
		);
	});

	it('shows the tokens of the last reply and the context window from the cached list of models', async () => {
		const { chat, shown } = createChatWith({ input: 100, output: 50, cached: 200, thinking: 9 });
		assert.equal(gauge.getUsage(chat), undefined);
		await shown;
		assert.deepEqual(gauge.getUsage(chat), { used: 350, window: 1000 });
		assert.equal(asked, 1);
		now = 10 * 60_000;
		assert.deepEqual(gauge.getUsage(chat), { used: 350, window: 1000 });
		assert.equal(asked, 2);
	});

	it('adds cached tokens only if the protocol counts them separately', async () => {
		const { chat, shown } = createChatWith({ input: 300, output: 50, cached: 200 }, { endpoint: 'content' });
		gauge.getUsage(chat);
		await shown;
		assert.equal(gauge.getUsage(chat)?.used, 350);
	});

	it('sends no request for replies from before the window opened', () => {
		const { chat } = createChatWith({ input: 5 });
		now = 1;
		assert.equal(
			new TokenGauge(
				async () => windows,
				() => now,
			).getUsage(chat),
			undefined,
		);
		assert.equal(asked, 0);
	});

	it('supports the only model of a service without a selection', async () => {
		const { chat, shown } = createChatWith({ input: 5 });
		Object.assign(chat.transcript, { models: {} });
		gauge.getUsage(chat);
		await shown;
		assert.deepEqual(gauge.getUsage(chat), { used: 5, window: 1000 });
	});

	it('shows nothing without a reply of this model, for agents, or if the context window is unknown', async () => {
		for (const { chat } of [
			createChatWith(undefined),
			createChatWith({ output: 5 }),
			createChatWith({ input: 5 }, { model: 'before' }),
			createChatWith({ input: 5 }, { endpoint: 'agent' }),
		]) {
			assert.equal(gauge.getUsage(chat), undefined);
		}
		assert.equal(asked, 0);
		windows = new Map([['other', { window: 1000 }]]);
		const { chat, shown } = createChatWith({ input: 5 });
		gauge.getUsage(chat);
		await shown;
		assert.equal(gauge.getUsage(chat), undefined);
	});

	it('asks again if the service was not available', async () => {
		windows = undefined;
		const { chat } = createChatWith({ input: 5 });
		gauge.getUsage(chat);
		await new Promise(setImmediate);
		gauge.getUsage(chat);
		assert.equal(asked, 2);
	});

	it('reads the field names of several services, and ignores invalid values', () => {
		const getModelWindow = (fields: object) => getContextWindow({ type: 'model', id: 'm', display_name: 'M', ...fields });
		assert.deepEqual(
			[getModelWindow({ max_input_tokens: 200_000 }), getModelWindow({ max_model_len: 8192 }), getModelWindow({ context_length: 4096 })],
			[200_000, 8192, 4096],
		);
		for (const odd of [{}, { max_input_tokens: null }, { max_input_tokens: '5' }, { max_input_tokens: 0 }]) {
			assert.equal(getModelWindow(odd), undefined);
		}
	});
});
