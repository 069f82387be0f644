import assert from 'node:assert/strict';
import { createChatCall } from '#models/translate/chatCompletions/chatCall.ts';
import { createContentCall } from '#models/translate/content/contentCall.ts';
import { createMessagesCall } from '#models/translate/messages/messagesCall.ts';
import type { ModelCall } from '#models/translate/modelCall.ts';
import { createResponsesCall } from '#models/translate/responses/responsesCall.ts';

/** As many as fit into the largest request. Quadratic work with them would take minutes, and time out. */
const count = 200_000;
const createMany = <T>(create: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => create(n));
const question = { role: 'user' as const, content: 'Hi' };

const createFunction = (name: string) => ({ type: 'function' as const, function: { name } });
const countParts = ({ prompt }: ModelCall) => prompt.reduce((sum, { content }) => sum + content.length, 0);

/** Requests with very many of one thing, and what they are as a call. */
const requests: Readonly<Record<string, () => void>> = {
	'tools of a chat completion': () => {
		const { tools } = createChatCall({ model: 'm', messages: [question], tools: createMany(n => createFunction(`f${n}`)) });
		assert.equal(tools?.length, count);
	},
	'allowed tools of a chat completion': () => {
		const tools = createMany(n => createFunction(`f${n}`));
		const call = createChatCall({
			model: 'm',
			messages: [question],
			tools,
			tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: tools.toReversed() } },
		});
		assert.equal(call.tools?.length, count);
	},
	'messages of one role': () => {
		const chat = createChatCall({ model: 'm', messages: createMany(() => question) });
		assert.deepEqual([chat.prompt.length, countParts(chat)], [1, count]);
		assert.equal(countParts(createMessagesCall({ model: 'm', max_tokens: 9, messages: createMany(() => question) })), count);
	},
	'calls and results of a chat completion': () => {
		const call = createChatCall({
			model: 'm',
			messages: [
				question,
				{
					role: 'assistant',
					tool_calls: createMany(n => ({ id: `c${n}`, ...createFunction('f'), function: { name: 'f', arguments: '{}' } })),
				},
				...createMany(n => ({ role: 'tool' as const, tool_call_id: `c${n}`, content: 'x' })),
			],
		});
		assert.equal(countParts(call), 2 * count + 1);
	},
	'calls and outputs of a response': () => {
		const { call } = createResponsesCall({ model: 'm' }, [
			...createMany(n => ({ type: 'function_call', call_id: `c${n}`, name: 'f', arguments: '{}' })),
			...createMany(n => ({ type: 'function_call_output', call_id: `c${n}`, output: 'x' })),
		]);
		assert.equal(countParts(call), 2 * count);
	},
	'turns with a call and its output of a response': () => {
		const turns = createMany(n => [
			{ type: 'function_call', call_id: `c${n}`, name: 'f', arguments: '{}' },
			{ type: 'message', role: 'user' as const, content: 'and' },
			{ type: 'function_call_output', call_id: `c${n}`, output: 'x' },
		]);
		const { call } = createResponsesCall({ model: 'm' }, turns.flat());
		assert.equal(call.prompt.length, 3 * count);
	},
	'tools of one name of a response': () => {
		const { call } = createResponsesCall({ model: 'm', tools: createMany(() => ({ type: 'function', name: 'f' })) }, [question]);
		assert.equal(new Set(call.tools?.map(({ name }) => name)).size, count);
	},
	'calls and responses of a content request': () => {
		const call = createContentCall({
			contents: [
				{ role: 'model', parts: createMany(n => ({ functionCall: { id: `c${n}`, name: 'f', args: {} } })) },
				{ role: 'user', parts: createMany(n => ({ functionResponse: { id: `c${count - n - 1}`, name: 'f', response: {} } })) },
			],
		});
		assert.equal(countParts(call), 2 * count);
	},
	'allowed functions of a content request': () => {
		const names = createMany(n => `f${n}`);
		const { tools } = createContentCall({
			contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
			tools: [{ functionDeclarations: names.map(name => ({ name })) }],
			toolConfig: { functionCallingConfig: { allowedFunctionNames: names.toReversed() } },
		});
		assert.equal(tools?.length, count);
	},
};

describe('a request as a call, with 200,000', () => {
	for (const [what, check] of Object.entries(requests)) {
		it(what, check).timeout(20_000);
	}
});

describe('calls of a content request', () => {
	it('are answered by ID, or in order by name if the response has none', () => {
		const { prompt } = createContentCall({
			contents: [
				{ role: 'model', parts: ['a', 'b', undefined].map(id => ({ functionCall: { ...(id && { id }), name: 'f', args: {} } })) },
				{
					role: 'user',
					parts: ['b', undefined, undefined, undefined].map(id => ({ functionResponse: { ...(id && { id }), name: 'f', response: {} } })),
				},
			],
		});
		const ids = prompt.flatMap(({ role, content }) =>
			role === 'tool' ? content.map(part => 'toolCallId' in part && part.toolCallId) : [],
		);
		assert.deepEqual(ids, ['b', 'a', 'call_3', 'call_4']);
	});
});
