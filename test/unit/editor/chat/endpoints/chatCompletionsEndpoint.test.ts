import assert from 'node:assert/strict';
import type { ChatCompletionsChunk, ChatCompletionsDelta } from '#contract/openai/receivedChatCompletions.ts';
import { createChatCompletionsBody } from '#editor/chat/endpoints/chatCompletionsEndpoint.ts';
import { ChatCompletionsReader } from '#editor/chat/endpoints/chatCompletionsReader.ts';
import type { ReplyStep } from '#editor/chat/endpoints/endpoint.ts';
import type { ChatPart, Turn } from '#pages/chat/transcript/transcript.ts';
import { words } from './words.ts';

let count = 0;
const createTurn = (role: Turn['role'], ...parts: ChatPart[]): Turn => ({ id: String(count++), parent: null, role, parts, at: 0 });
const createText = (value: string): ChatPart => ({ kind: 'text', text: value });
const createBody = (...turns: Turn[]) =>
	createChatCompletionsBody({ model: 'm', system: 'Be brief.', settings: { seed: 1 }, turns, user: 'u' });
const createChunk = (delta: ChatCompletionsDelta, finish_reason: string | null = null): ChatCompletionsChunk => ({
	model: 'm',
	choices: [{ index: 0, delta, finish_reason }],
});
const readChunks = (...chunks: ChatCompletionsChunk[]): ReplyStep[] => {
	const reader = new ChatCompletionsReader(words);
	return [...chunks.flatMap(each => [...reader.readChunk(each)]), ...reader.endStream()];
};
/** Returns the final parts and the last finish reason. */
const readReply = (...chunks: ChatCompletionsChunk[]) => {
	const parts: { [field: string]: unknown }[] = [];
	const reasons: string[] = [];
	for (const step of readChunks(...chunks)) {
		if (step.type === 'part') {
			parts.push({ ...step.part });
		} else if (step.type === 'text') {
			const part = parts[step.index]!;
			const field = part['kind'] === 'toolCall' ? 'input' : 'text';
			part[field] = `${part[field]}${step.text}`;
		} else if (step.type === 'finish') {
			reasons.push(step.finish.reason);
		}
	}
	return { parts, reasons };
};
const createCall = (id: string, name: string, input: string) => ({ kind: 'toolCall', id, name, input });

describe('a chat as a chat completion', () => {
	it('joins consecutive turns of the same role, and puts results directly after their calls', () => {
		const calls: ChatPart[] = [
			{ kind: 'toolCall', id: 'a', name: 'read', input: '{"x":1}', signature: 's' },
			{ kind: 'toolCall', id: 'b', name: 'list', input: '' },
		];
		const sent = createBody(
			createTurn('user', createText('Look')),
			createTurn('user', createText('again')),
			createTurn('assistant', { kind: 'thinking', text: 'hm' }, createText('I do.'), ...calls),
			createTurn('user', createText('And?'), { kind: 'toolResult', id: 'b', name: 'list', output: 'none', isError: false }),
		);
		assert.deepEqual(sent, {
			model: 'm',
			seed: 1,
			stream: true,
			stream_options: { include_usage: true },
			messages: [
				{ role: 'system', content: 'Be brief.' },
				{ role: 'user', content: 'Look\n\nagain' },
				{
					role: 'assistant',
					content: 'I do.',
					tool_calls: [
						{
							id: 'a',
							type: 'function',
							function: { name: 'read', arguments: '{"x":1}' },
							extra_content: { google: { thought_signature: 's' } },
						},
						{ id: 'b', type: 'function', function: { name: 'list', arguments: '{}' } },
					],
				},
				{ role: 'tool', tool_call_id: 'b', content: 'none' },
				{ role: 'tool', tool_call_id: 'a', content: 'This tool was not run.' },
				{ role: 'user', content: 'And?' },
			],
		});
	});

	it('sends images and scans as separate parts', () => {
		const { messages } = createBody(
			createTurn(
				'user',
				createText('What?'),
				{ kind: 'image', name: 'i', mimeType: 'image/png', data: 'AA==' },
				{ kind: 'document', name: 'd.pdf', mimeType: 'application/pdf', data: 'BB==', text: '' },
			),
		);
		assert.deepEqual(messages[1]?.content, [
			{ type: 'text', text: 'What?' },
			{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
			{ type: 'file', file: { filename: 'd.pdf', file_data: 'data:application/pdf;base64,BB==' } },
		]);
	});
});

describe('the chunks of a chat completion', () => {
	it('become thoughts and text for both field names, without duplicates', () => {
		const { parts, reasons } = readReply(
			createChunk({ content: '', reasoning: 'a' }),
			createChunk({ reasoning_content: 'b', reasoning: 'b' }),
			createChunk({ content: 'x', reasoning_content: null }),
			createChunk({ content: 'y' }, 'stop'),
		);
		assert.deepEqual(parts, [
			{ kind: 'thinking', text: 'ab' },
			{ kind: 'text', text: 'xy' },
		]);
		assert.deepEqual(reasons, ['stop']);
	});

	it('become calls by index', () => {
		const { parts, reasons } = readReply(
			createChunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'read', arguments: '' } }] }),
			createChunk({ tool_calls: [{ index: 0, function: { arguments: '{"x"' } }] }),
			createChunk({ tool_calls: [{ index: 1, id: 'b', function: { name: 'list', arguments: '{}' } }] }),
			createChunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }, 'stop'),
		);
		assert.deepEqual(parts, [createCall('a', 'read', '{"x":1}'), createCall('b', 'list', '{}')]);
		assert.deepEqual(reasons, ['tool_calls'], '"stop" of a reply with calls');
	});

	it('become calls if the indexes are missing or all the same', () => {
		for (const place of [{}, { index: 0 }]) {
			const { parts } = readReply(
				createChunk({ tool_calls: [{ ...place, id: 'a', function: { name: 'read', arguments: '{"x"' } }] }),
				createChunk({ tool_calls: [{ ...place, function: { arguments: ':1}' } }] }),
				createChunk({ tool_calls: [{ ...place, id: 'b', function: { name: 'read', arguments: '{}' } }] }),
				createChunk({ tool_calls: [{ ...place, id: 'b', function: { name: 'read', arguments: '' } }] }, 'tool_calls'),
			);
			assert.deepEqual(parts, [createCall('a', 'read', '{"x":1}'), createCall('b', 'read', '{}')], JSON.stringify(place));
		}
	});

	it('keep the calls of replies without a finish reason and of replies that are not streamed', () => {
		const whole = { choices: [{ message: { content: null, tool_calls: [{ id: 'a', function: { name: 'read', arguments: '{}' } }] } }] };
		assert.deepEqual(readReply(whole), { parts: [createCall('a', 'read', '{}')], reasons: ['tool_calls'] });
	});

	it('report usage with thinking tokens separately', () => {
		const usage = {
			prompt_tokens: 9,
			completion_tokens: 7,
			prompt_tokens_details: { cached_tokens: 4 },
			completion_tokens_details: { reasoning_tokens: 5 },
		};
		const steps = readChunks(createChunk({ content: 'x' }, 'stop'), { choices: [], usage });
		assert.deepEqual(
			steps.find(({ type }) => type === 'usage'),
			{ type: 'usage', usage: { input: 9, output: 2, thinking: 5, cached: 4 }, billed: { input: 9, cached: 4, output: 7 } },
		);
		assert.deepEqual(readChunks({ choices: null, usage: null }).length, 1);
	});
});
