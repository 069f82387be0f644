import assert from 'node:assert/strict';
import type { MessagesStreamEvent } from '#contract/text/messages.ts';
import type { ReplyStep } from '#editor/chat/endpoints/endpoint.ts';
import { createMessagesBody } from '#editor/chat/endpoints/messagesBody.ts';
import { MessagesReplyReader } from '#editor/chat/endpoints/messagesEndpoint.ts';
import type { ChatPart, Turn } from '#pages/chat/transcript/transcript.ts';
import { words } from './words.ts';

let count = 0;
const createTurn = (role: Turn['role'], ...parts: ChatPart[]): Turn => ({ id: String(count++), parent: null, role, parts, at: 0 });
const createText = (value: string): ChatPart => ({ kind: 'text', text: value });
const createBody = (...turns: Turn[]) => createMessagesBody({ model: 'm', system: ' ', settings: {}, turns, user: 'u' });
const readEvents = (...events: MessagesStreamEvent[]): ReplyStep[] => {
	const reader = new MessagesReplyReader(words);
	return events.flatMap(event => [...reader.readEvent(event)]);
};

describe('unknown blocks of a messages reply', () => {
	it('are assembled from the stream, so that the next turn sends them back unchanged', () => {
		const use = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} };
		const steps = readEvents(
			{ type: 'content_block_start', index: 0, content_block: { type: 'compaction', content: null } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: 'All ' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: 'of it', encrypted_content: 'e' } },
			{ type: 'content_block_stop', index: 0 },
			{ type: 'content_block_start', index: 1, content_block: use },
			{ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"query":' } },
			{ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"x"}' } },
			{ type: 'content_block_stop', index: 1 },
		);
		assert.deepEqual(
			steps.flatMap(step => (step.type === 'patch' ? [step.fields.value] : [])),
			[
				{ type: 'compaction', content: 'All of it', encrypted_content: 'e' },
				{ ...use, input: { query: 'x' } },
			],
		);
	});
});

describe('a chat as a messages request', () => {
	it('sends plain text as a string, and the required token limit', () => {
		assert.deepEqual(createBody(createTurn('user', createText('hi'))), {
			max_tokens: 4096,
			model: 'm',
			messages: [{ role: 'user', content: 'hi' }],
			stream: true,
		});
	});

	it("sends the model's token limit, else room for thinking, else leaves the limit to a gateway", () => {
		const request = { model: 'm', system: '', settings: {}, turns: [createTurn('user', createText('hi'))], user: 'u' };
		const thinking = { type: 'enabled', budget_tokens: 10_000 };
		assert.equal(createMessagesBody({ ...request, outputLimit: 64_000 }).max_tokens, 64_000);
		assert.equal(createMessagesBody({ ...request, outputLimit: 64_000, settings: { max_tokens: 9 } }).max_tokens, 9);
		assert.equal(createMessagesBody({ ...request, settings: { thinking } }).max_tokens, 14_096);
		assert.equal('max_tokens' in createMessagesBody(request, true), false);
		assert.equal(createMessagesBody({ ...request, outputLimit: 64_000 }, true).max_tokens, 64_000);
	});

	it('prefers settings to defaults, and adds the system prompt', () => {
		const sent = createMessagesBody({
			model: 'm',
			system: 'Be brief',
			settings: { max_tokens: 9, top_k: 3 },
			turns: [createTurn('user', createText('hi'))],
			user: 'u',
		});
		assert.equal(sent.max_tokens, 9);
		assert.equal(sent['top_k'], 3);
		assert.equal(sent.system, 'Be brief');
	});

	it('sends images as blocks and quotes files in a fence longer than theirs', () => {
		const file: ChatPart = { kind: 'file', name: 'a.md', language: 'md', text: '```js\n1\n```', lines: '3-5' };
		const image: ChatPart = { kind: 'image', name: 'p.png', mimeType: 'image/png', data: 'AAAA' };
		assert.deepEqual(createBody(createTurn('user', file, image, createText('see'))).messages[0]?.content, [
			{ type: 'text', text: 'a.md:3-5\n````md\n```js\n1\n```\n````' },
			{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
			{ type: 'text', text: 'see' },
		]);
	});

	it('skips empty replies and joins the messages around them', () => {
		const sent = createBody(createTurn('user', createText('one')), createTurn('assistant'), createTurn('user', createText('two')));
		assert.deepEqual(sent.messages, [
			{
				role: 'user',
				content: [
					{ type: 'text', text: 'one' },
					{ type: 'text', text: 'two' },
				],
			},
		]);
	});

	it('adds a result for an unanswered tool call', () => {
		const call: ChatPart = { kind: 'toolCall', id: 't1', name: 'look', input: '{"a":1}' };
		const sent = createBody(
			createTurn('user', createText('go')),
			createTurn('assistant', call),
			createTurn('user', createText('never mind')),
		);
		assert.deepEqual(sent.messages[1]?.content, [{ type: 'tool_use', id: 't1', name: 'look', input: { a: 1 } }]);
		assert.deepEqual(sent.messages[2]?.content, [
			{ type: 'tool_result', tool_use_id: 't1', content: 'This tool was not run.', is_error: true },
			{ type: 'text', text: 'never mind' },
		]);
	});

	it('sends a result after its call', () => {
		const call: ChatPart = { kind: 'toolCall', id: 't1', name: 'look', input: '' };
		const result: ChatPart = { kind: 'toolResult', id: 't1', name: 'look', output: '42', isError: false };
		const sent = createBody(createTurn('user', createText('go')), createTurn('assistant', call), createTurn('user', result));
		assert.deepEqual(sent.messages[2]?.content, [{ type: 'tool_result', tool_use_id: 't1', content: '42' }]);
	});

	it('sends signed thinking back, but not unsigned thinking', () => {
		const signed: ChatPart = { kind: 'thinking', text: 'hm', signature: 's' };
		const unsigned: ChatPart = { kind: 'thinking', text: 'hm' };
		const sent = createBody(
			createTurn('user', createText('go')),
			createTurn('assistant', signed, unsigned, createText('a')),
			createTurn('user', createText('b')),
		);
		assert.deepEqual(sent.messages[1]?.content, [
			{ type: 'thinking', thinking: 'hm', signature: 's' },
			{ type: 'text', text: 'a' },
		]);
	});
});

describe('a messages stream as steps of a reply', () => {
	it('reads text, usage and the finish reason', () => {
		const steps = readEvents(
			{
				type: 'message_start',
				message: {
					id: 'x',
					type: 'message',
					role: 'assistant',
					model: 'real-model',
					content: [],
					stop_reason: null,
					usage: { input_tokens: 3, output_tokens: 1 },
				},
			},
			{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
			{ type: 'ping' },
			{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
			{ type: 'content_block_stop', index: 0 },
			{ type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 7 } },
			{ type: 'message_stop' },
		);
		assert.deepEqual(steps.slice(0, 4), [
			{ type: 'model', model: 'real-model' },
			{ type: 'usage', usage: { input: 3, output: 1 }, billed: { input: 3, cached: 0, output: 1 } },
			{ type: 'part', part: { kind: 'text', text: '' } },
			{ type: 'text', index: 0, text: 'Hi' },
		]);
		assert.deepEqual(steps[4], { type: 'usage', usage: { input: 3, output: 7 }, billed: { input: 3, cached: 0, output: 7 } });
		assert.equal(steps[5]?.type === 'finish' && steps[5].finish.notable, true);
	});

	it('keeps unknown blocks and ignores their deltas', () => {
		const steps = readEvents(
			{ type: 'content_block_start', index: 0, content_block: { type: 'server_tool_use', id: 's' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'odd_delta', x: 1 } },
			{ type: 'content_block_delta', index: 9, delta: { type: 'text_delta', text: 'of no block' } },
			{ type: 'odd_event' },
		);
		assert.deepEqual(steps, [
			{ type: 'part', part: { kind: 'other', endpoint: 'messages', type: 'server_tool_use', value: { type: 'server_tool_use', id: 's' } } },
		]);
	});

	it('reads thinking with its signature, a tool call and citations', () => {
		const citation = { type: 'web_search_result_location', url: 'https://a.example', title: 'A', cited_text: 'q' };
		const steps = readEvents(
			{ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
			{ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
			{ type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation } },
			{ type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation } },
			{ type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 't', name: 'look', input: {} } },
			{ type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"a"' } },
		);
		assert.deepEqual(
			steps.filter(step => step.type === 'patch'),
			[
				{ type: 'patch', index: 0, fields: { signature: 'sig' } },
				{ type: 'patch', index: 1, fields: { citations: [{ title: 'A', url: 'https://a.example', quote: 'q' }] } },
			],
		);
		assert.deepEqual(steps.slice(-2), [
			{ type: 'part', part: { kind: 'toolCall', id: 't', name: 'look', input: '' } },
			{ type: 'text', index: 2, text: '{"a"' },
		]);
	});
});
