import assert from 'node:assert/strict';
import { createContentPrompt } from '#models/translate/content/contentPrompt.ts';
import { createMessagesPrompt } from '#models/translate/messages/messagesPrompt.ts';

describe('integers above 2^53 in tool calls that arrive as JSON objects', () => {
	const args = JSON.parse('{"ids":[9007199254740991,{"id":12345678901234567890}],"part":0.1}') as Record<string, unknown>;
	const fine = JSON.parse('{"ids":[9007199254740991,-1.5],"text":"12345678901234567890"}') as Record<string, unknown>;

	it('are reported in messages, with their position', () => {
		const findLost = (input: unknown) => {
			const lost: string[] = [];
			const content = [{ type: 'tool_use', id: 'c', name: 'find', input }];
			createMessagesPrompt({ model: 'm', max_tokens: 1, messages: [{ role: 'assistant', content }] } as never, lost);
			return lost;
		};
		assert.deepEqual(findLost(args), ['messages.0.content.0.input: numbers above 2^53 may have been rounded']);
		assert.deepEqual(findLost(fine), []);
	});

	it('are reported in contents, in calls and responses', () => {
		const findLost = (value: unknown) => {
			const lost: string[] = [];
			const contents = [
				{ role: 'model', parts: [{ functionCall: { name: 'find', args: value } }] },
				{ role: 'user', parts: [{ functionResponse: { name: 'find', response: value } }] },
			];
			createContentPrompt(contents, undefined, lost);
			return lost;
		};
		assert.deepEqual(findLost(args), [
			'contents[0].parts[0].function_call.args: numbers above 2^53 may have been rounded',
			'contents[1].parts[0].function_response.response: numbers above 2^53 may have been rounded',
		]);
		assert.deepEqual(findLost(fine), []);
	});
});
