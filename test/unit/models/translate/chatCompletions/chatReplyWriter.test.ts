import assert from 'node:assert/strict';
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { ChatReplyWriter } from '#models/translate/chatCompletions/chatReplyWriter.ts';

interface Chunk {
	readonly model: string;
	readonly choices: { delta: Record<string, unknown>; finish_reason: string | null }[];
}

const usage: LanguageModelV4Usage = {
	inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
	outputTokens: { total: 2, text: 2, reasoning: 0 },
};
const parseChunks = (text: string) =>
	text
		.split('\n\n')
		.filter(event => event !== '')
		.map(event => JSON.parse(event.replace(/^data: /, '')) as Chunk);
const writeParts = (writer: ChatReplyWriter, parts: readonly LanguageModelV4StreamPart[]) =>
	parseChunks(parts.map(part => writer.writePart(part)).join(''));
const listDeltas = (chunks: readonly Chunk[]) => chunks.map(({ choices: [choice] }) => choice?.delta);
const createFinish = (unified: 'stop' | 'tool-calls' | 'length'): LanguageModelV4StreamPart => ({
	type: 'finish',
	usage,
	finishReason: { unified, raw: undefined },
});

describe('streamed chat completions', () => {
	it('start with the role once, with one model name, even if a ping came before the model was known', () => {
		const writer = new ChatReplyWriter('asked', false);
		const [first] = parseChunks(writer.writeStart());
		assert.deepEqual(first?.choices[0]?.delta, { role: 'assistant', content: '' });
		assert.equal(writer.writeStart(), '');
		assert.equal(writer.ping, ': ping\n\n');
		const chunks = writeParts(writer, [
			{ type: 'response-metadata', modelId: 'another' },
			{ type: 'text-delta', id: 't', delta: 'x' },
			{ type: 'text-delta', id: 't', delta: '' },
			createFinish('stop'),
		]);
		assert.deepEqual(listDeltas(chunks), [{ content: 'x' }, {}]);
		assert.ok(chunks.every(({ model }) => model === 'asked'));
		assert.equal(writer.writeEnd(), 'data: [DONE]\n\n');
	});

	it('send interleaved calls with their index, and complete calls at once', () => {
		const writer = new ChatReplyWriter('m', false);
		writer.writeStart();
		const signed = { google: { thoughtSignature: 'sig' } };
		const chunks = writeParts(writer, [
			{ type: 'tool-input-start', id: 'a', toolName: 'first' },
			{ type: 'tool-input-start', id: 'b', toolName: 'second' },
			{ type: 'tool-input-delta', id: 'a', delta: '{"x"' },
			{ type: 'tool-input-delta', id: 'b', delta: '' },
			{ type: 'tool-input-delta', id: 'a', delta: ':1}' },
			{ type: 'tool-call', toolCallId: 'b', toolName: 'second', input: '', providerMetadata: signed },
			{ type: 'tool-call', toolCallId: 'a', toolName: 'first', input: '{"x":1}' },
			{ type: 'tool-call', toolCallId: 'c', toolName: 'third', input: '{}', providerMetadata: signed },
			{ type: 'tool-call', toolCallId: 'd', toolName: 'search', input: '{}', providerExecuted: true },
			createFinish('stop'),
		]);
		const extra_content = { google: { thought_signature: 'sig' } };
		const createOpenPart = (index: number, id: string, name: string) => ({
			index,
			id,
			type: 'function',
			function: { name, arguments: '' },
		});
		const createMore = (index: number, json: string) => ({ index, function: { arguments: json } });
		assert.deepEqual(
			listDeltas(chunks).map(delta => delta?.['tool_calls']),
			[
				[createOpenPart(0, 'a', 'first')],
				[createOpenPart(1, 'b', 'second')],
				[createMore(0, '{"x"')],
				[createMore(0, ':1}')],
				[createMore(1, '{}')],
				[{ ...createMore(1, ''), extra_content }],
				[{ ...createOpenPart(2, 'c', 'third'), extra_content }],
				[createMore(2, '{}')],
				undefined,
			],
		);
		assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, 'tool_calls', 'clients make no call that ends with "stop"');
	});

	it("don't end before their model, and end with its error if it fails", () => {
		const writer = new ChatReplyWriter('m', true);
		writer.writePart({ type: 'text-delta', id: 't', delta: 'x' });
		assert.equal(writer.writeEnd(), undefined);
		assert.equal(
			writer.writeFault(new ServiceFault(429, 'Slow down.')),
			'data: {"error":{"message":"Slow down.","type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}}\n\ndata: [DONE]\n\n',
		);
	});
});
