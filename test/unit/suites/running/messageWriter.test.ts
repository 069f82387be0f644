import assert from 'node:assert/strict';
import { ModelWriter } from '#suites/running/messageWriter.ts';

/** Writes a message with a model that replies with this input of the tool, and this usage. */
function writeMessage(input: unknown, usage?: unknown) {
	const createMessage = async () => ({ content: [{ type: 'tool_use', name: 'reply', input }], usage }) as never;
	const writer = new ModelWriter('You are a user.', 'm', { createMessage, getModel: assert.fail });
	return { writer, written: writer.writeMessage({ transcript: '' }) };
}

describe('a model that plays a user', () => {
	it('can not make the transcript endless, or lie about its tokens', async () => {
		await assert.rejects(writeMessage({ message: 'x'.repeat(10_000_000), done: false }).written, {
			name: 'CaseFault',
			message: /10000000/,
		});
		for (const tokens of [-1e9, Number.POSITIVE_INFINITY, Number.NaN, 'many', null, {}]) {
			const { writer, written } = writeMessage({ message: 'Hi', done: false }, { input_tokens: tokens, output_tokens: 2 });
			await written;
			assert.equal(writer.tokens, 2);
		}
	});

	it('writes a message or ends the conversation, whatever else it says', async () => {
		for (const input of [undefined, null, 'Hi', [], {}, { message: 5 }, { message: ' ' }, { done: 'true' }]) {
			await assert.rejects(writeMessage(input).written, { name: 'CaseFault' }, JSON.stringify(input));
		}
		assert.deepEqual(await writeMessage({ done: true, reason: '__proto__', message: 'Hi' }).written, { end: 'gave-up' });
		assert.deepEqual(await writeMessage({ done: true, reason: 'goal' }).written, { end: 'goal' });
	});
});
