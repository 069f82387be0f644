import assert from 'node:assert/strict';
import { createCompletionsCall } from '#models/translate/completions/completionsCall.ts';
import { createContentCall } from '#models/translate/content/contentCall.ts';
import { createMessagesCall } from '#models/translate/messages/messagesCall.ts';

const createText = (value: string) => ({ type: 'text' as const, text: value });

describe('prompt of a completion', () => {
	const getPrompt = (prompt: string) =>
		createCompletionsCall({ model: 'm', prompt, max_tokens_to_sample: 9 }).prompt.map(({ role, content }) => [
			role,
			typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : part.type)).join('|'),
		]);

	it('is split at its turns', () => {
		assert.deepEqual(getPrompt('\n\nHuman: Hi\n\nAssistant:'), [['user', 'Hi']]);
		assert.deepEqual(getPrompt('Rules\n\nof two lines\n\nHuman: a\n\nAssistant: b\n\nHuman: Human: c\n\nAssistant: d'), [
			['system', 'Rules\n\nof two lines'],
			['user', 'a'],
			['assistant', 'b'],
			['user', 'Human: c'],
			['assistant', 'd'],
		]);
	});

	it('uses the smaller of its two limits, and the built-in stop once', () => {
		const call = createCompletionsCall({
			model: 'm',
			prompt: '\n\nHuman: Hi\n\nAssistant:',
			max_tokens_to_sample: 9,
			max_tokens: 5,
			stop_sequences: ['\n\nHuman:', 'x'],
		});
		assert.equal(call.maxOutputTokens, 5);
		assert.deepEqual(call.stopSequences, ['\n\nHuman:', 'x']);
		assert.equal(call.temperature, undefined);
	});
});

describe('prompt of E', () => {
	it('assigns IDs to calls without one, and finds them again by name, in order', () => {
		const createFunctionCall = (args: object) => ({ functionCall: { name: 'f', args } });
		const createFunctionResponse = (response: object) => ({ function_response: { name: 'f', response } });
		const { prompt } = createContentCall({
			contents: [
				{ role: 'user', parts: [{ text: 'x' }] },
				{ role: 'model', parts: [createFunctionCall({ n: 1 }), createFunctionCall({ n: 2 }), { functionCall: { id: 'own', name: 'g' } }] },
				{
					role: 'function',
					parts: [
						{ functionResponse: { id: 'own', name: 'g', response: { r: 3 } } },
						createFunctionResponse({ r: 1 }),
						createFunctionResponse({ r: 2 }),
					],
				},
			],
		});
		const getParts = (at: number) => (prompt[at]?.content as unknown as Record<string, unknown>[]) ?? [];
		assert.deepEqual(
			getParts(1).map(part => [part['toolCallId'], part['input']]),
			[
				['call_1', { n: 1 }],
				['call_2', { n: 2 }],
				['own', {}],
			],
		);
		assert.equal(prompt[2]?.role, 'tool');
		assert.deepEqual(
			getParts(2).map(part => part['toolCallId']),
			['own', 'call_1', 'call_2'],
		);
	});

	it('joins the chunks that a streamed chat stores as turns', () => {
		const { prompt } = createContentCall({
			contents: [
				{ role: 'user', parts: [{ text: 'a' }] },
				{ role: 'model', parts: [{ text: 'b' }] },
				{ role: 'model', parts: [{ text: 'c' }] },
				{ role: 'model', parts: [{ text: '' }] },
				{ role: 'user', parts: { text: 'd' } },
			],
		});
		assert.deepEqual(prompt, [
			{ role: 'user', content: [createText('a')] },
			{ role: 'assistant', content: [createText('bc')] },
			{ role: 'user', content: [createText('d')] },
		]);
	});

	it('accepts settings in both spellings, and omits absent ones', () => {
		const contents = { parts: { text: 'x' } };
		const { prompt: _, providerOptions: __, ...plain } = createContentCall({ contents });
		assert.deepEqual(plain, {});
		const {
			prompt: ___,
			providerOptions,
			...call
		} = createContentCall({
			contents,
			generation_config: {
				max_output_tokens: 7,
				top_p: 0.5,
				stop_sequences: ['a'],
				response_mime_type: 'application/json',
				thinking_config: { thinking_budget: 2048 },
			},
			tools: { function_declarations: { name: 'f', description: 'd' } },
			tool_config: { function_calling_config: { mode: 'ANY' } },
		});
		assert.deepEqual(call, {
			maxOutputTokens: 7,
			topP: 0.5,
			stopSequences: ['a'],
			tools: [{ type: 'function', name: 'f', description: 'd', inputSchema: { type: 'object', properties: {} } }],
			toolChoice: { type: 'tool', toolName: 'f' },
			responseFormat: { type: 'json' },
			reasoning: 'low',
		});
		assert.deepEqual(providerOptions?.['anthropic'], { thinking: { type: 'enabled', budgetTokens: 2048 } });
	});
});

describe('prompt of C', () => {
	it('keeps system texts at their position among the messages, so that caches of earlier messages stay valid', () => {
		const { prompt } = createMessagesCall({
			model: 'm',
			system: [{ type: 'text', text: 'one' }],
			messages: [
				{ role: 'user', content: 'a' },
				{ role: 'system', content: 'two' },
				{ role: 'user', content: 'b' },
			],
		});
		assert.deepEqual(prompt, [
			{ role: 'system', content: 'one' },
			{ role: 'user', content: [createText('a'), createText('<system>\ntwo\n</system>'), createText('b')] },
		]);
	});

	it("names the block that can't be converted", () => {
		const createTurns = (block: { type: string; [field: string]: unknown }) => () =>
			createMessagesCall({ model: 'm', messages: [{ role: 'user', content: [createText('a'), block] }] });
		assert.throws(createTurns({ type: 'search_result' }), /messages\.0\.content\.1: blocks of type search_result/);
		assert.throws(createTurns({ type: 'image', source: { type: 'file', file_id: 'f' } }), /messages\.0\.content\.1: sources of type file/);
		assert.throws(createTurns({ type: 'image', source: { type: 'url', url: 'nowhere' } }), /source\.url isn't a valid URL/);
		assert.throws(createTurns({ type: 'text' }), /messages\.0\.content\.1: text: Field required/);
	});
});
