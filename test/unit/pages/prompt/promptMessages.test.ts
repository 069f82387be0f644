import assert from 'node:assert/strict';
import { type PromptState, parsePromptMessage, parsePromptState } from '#pages/prompt/promptMessages.ts';

describe('a playground with very long texts', () => {
	const long = 'x'.repeat(5_000_000);
	const state: PromptState = {
		source: { title: long },
		prompt: {
			messages: [{ id: 'a', role: 'user', text: long }],
			variables: Array.from({ length: 1500 }, (_, at) => ({ name: `n${at}`, value: '' })),
			parameters: { stop: [long] },
		},
		columns: [
			{
				id: 'a',
				connectionId: 'c',
				connection: 'C',
				endpoint: 'messages',
				model: 'm',
				answer: { text: long, reply: { status: 'done', endpoint: 'messages', connection: 'C', model: 'm' } },
			},
		],
	};

	it('is restored', () => {
		assert.deepEqual(parsePromptState({ state }), state);
	});

	it('reports changes of the prompt', () => {
		const message = { type: 'prompt', prompt: state.prompt };
		assert.deepEqual(parsePromptMessage(message), message);
	});
});
