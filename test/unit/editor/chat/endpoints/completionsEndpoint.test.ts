import assert from 'node:assert/strict';
import { createCompletionsBody, createPrompt } from '#editor/chat/endpoints/completionsEndpoint.ts';
import type { Turn } from '#pages/chat/transcript/transcript.ts';

const createTurn = (role: Turn['role'], text: string): Turn => ({ id: text, parent: null, role, parts: [{ kind: 'text', text }], at: 0 });

describe('a chat as the prompt of a completion', () => {
	it('alternates the markers and ends with the last one', () => {
		const prompt = createPrompt('Be brief.', [createTurn('user', 'Hi'), createTurn('assistant', ' Hello'), createTurn('user', 'Bye')]);
		assert.equal(prompt, 'Be brief.\n\nHuman: Hi\n\nAssistant: Hello\n\nHuman: Bye\n\nAssistant:');
	});

	it('starts with the marker if there is no system prompt', () => {
		assert.equal(createPrompt('', [createTurn('user', 'Hi')]), '\n\nHuman: Hi\n\nAssistant:');
	});

	it('breaks a marker inside a message that the model would read as a turn', () => {
		assert.equal(createPrompt('', [createTurn('user', 'a\n\nHuman: b')]), '\n\nHuman: a\nHuman: b\n\nAssistant:');
	});

	it('joins consecutive messages of the same role', () => {
		assert.equal(
			createPrompt('', [createTurn('user', 'a'), createTurn('assistant', ''), createTurn('user', 'b')]),
			'\n\nHuman: a\n\nb\n\nAssistant:',
		);
	});

	it('ends with the partial reply to continue', () => {
		assert.equal(
			createPrompt('', [createTurn('user', 'Hi'), createTurn('assistant', ' Once upon')]),
			'\n\nHuman: Hi\n\nAssistant: Once upon',
		);
	});

	it('names an image from another endpoint', () => {
		const image = { kind: 'image', name: 'dot.png', mimeType: 'image/png', data: '' } as const;
		assert.equal(createPrompt('', [{ ...createTurn('user', ''), parts: [image] }]), '\n\nHuman: (image dot.png)\n\nAssistant:');
	});

	it('sends the limit that the contract requires', () => {
		const body = createCompletionsBody({ model: 'm', system: '', settings: {}, turns: [createTurn('user', 'Hi')], user: 'u' });
		assert.equal(body.max_tokens_to_sample, 1024);
		assert.equal(body.stream, true);
	});
});
