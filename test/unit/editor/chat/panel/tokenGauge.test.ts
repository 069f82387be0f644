import assert from 'node:assert/strict';
import { getContextWindow, type ModelWindows, TokenGauge } from '#editor/chat/panel/tokenGauge.ts';
import type { Chat } from '#editor/chat/transcripts/chat.ts';
import type { Usage } from '#pages/chat/transcript/transcript.ts';

/** A chat whose last reply took this; `shown` resolves when it was told to show itself again. */
function chatWith(
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
	return { chat: { transcript, refresh: resolve } as unknown as Chat, shown: promise };
}

describe('the gauge of tokens', () => {
	let asked: number;
	let windows: ModelWindows | undefined;
	let now: number;
	let gauge: TokenGauge;
	beforeEach(() => {
		asked = 0;
		windows = new Map([['m', 1000]]);
		now = 0;
		gauge = new TokenGauge(
			async () => {
				asked++;
				return windows;
			},
			() => now,
		);
	});

	it('shows what the last reply took of what the list of models says, which is asked for once in a while', async () => {
		const { chat, shown } = chatWith({ input: 100, output: 50, cached: 200, thinking: 9 });
		assert.equal(gauge.getUsage(chat), undefined);
		await shown;
		assert.deepEqual(gauge.getUsage(chat), { used: 350, window: 1000 });
		assert.equal(asked, 1);
		now = 10 * 60_000;
		assert.deepEqual(gauge.getUsage(chat), { used: 350, window: 1000 });
		assert.equal(asked, 2);
	});

	it('counts what was read from a cache as its protocol does', async () => {
		const { chat, shown } = chatWith({ input: 300, output: 50, cached: 200 }, { endpoint: 'content' });
		gauge.getUsage(chat);
		await shown;
		assert.equal(gauge.getUsage(chat)?.used, 350);
	});

	it('asks nothing for replies of before the window was opened', () => {
		const { chat } = chatWith({ input: 5 });
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

	it('knows the only model of a service, which nobody picked', async () => {
		const { chat, shown } = chatWith({ input: 5 });
		Object.assign(chat.transcript, { models: {} });
		gauge.getUsage(chat);
		await shown;
		assert.deepEqual(gauge.getUsage(chat), { used: 5, window: 1000 });
	});

	it('makes nothing up: no reply, none of this model, an agent, a window that nobody tells', async () => {
		for (const { chat } of [
			chatWith(undefined),
			chatWith({ output: 5 }),
			chatWith({ input: 5 }, { model: 'before' }),
			chatWith({ input: 5 }, { endpoint: 'agent' }),
		]) {
			assert.equal(gauge.getUsage(chat), undefined);
		}
		assert.equal(asked, 0);
		windows = new Map([['other', 1000]]);
		const { chat, shown } = chatWith({ input: 5 });
		gauge.getUsage(chat);
		await shown;
		assert.equal(gauge.getUsage(chat), undefined);
	});

	it('asks again where the service was not there', async () => {
		windows = undefined;
		const { chat } = chatWith({ input: 5 });
		gauge.getUsage(chat);
		await new Promise(setImmediate);
		gauge.getUsage(chat);
		assert.equal(asked, 2);
	});

	it('takes the words of several services, and no nonsense', () => {
		const model = (fields: object) => getContextWindow({ type: 'model', id: 'm', display_name: 'M', ...fields });
		assert.deepEqual(
			[model({ max_input_tokens: 200_000 }), model({ max_model_len: 8192 }), model({ context_length: 4096 })],
			[200_000, 8192, 4096],
		);
		for (const odd of [{}, { max_input_tokens: null }, { max_input_tokens: '5' }, { max_input_tokens: 0 }]) {
			assert.equal(model(odd), undefined);
		}
	});
});
