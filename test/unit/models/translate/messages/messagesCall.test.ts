import assert from 'node:assert/strict';
import { createMessagesCall } from '#models/translate/messages/messagesCall.ts';

describe('a messages request as a call', () => {
	const request = { model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content: 'Hi' }] };

	it('has the settings of the request, and no others', () => {
		const { prompt, ...call } = createMessagesCall({ ...request, stop_sequences: ['END'], temperature: 0.5, top_k: 3, top_p: 0.9 });
		assert.equal(prompt.length, 1);
		assert.deepEqual(pickSettings(call), { maxOutputTokens: 9, stopSequences: ['END'], temperature: 0.5, topK: 3, topP: 0.9 });
		assert.deepEqual(pickSettings(createMessagesCall({ ...request, stop_sequences: [] })), { maxOutputTokens: 9 });
	});
});

function pickSettings(call: object): Readonly<Record<string, unknown>> {
	return Object.fromEntries(Object.entries(call).filter(([name]) => /^(maxOutputTokens|stopSequences|temperature|top[KP])$/.test(name)));
}
