import assert from 'node:assert/strict';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ResponsesRequest } from '#contract/openai/responses.ts';
import { ContentReplyWriter } from '#models/translate/content/contentReply.ts';
import { MessagesReplyWriter } from '#models/translate/messages/messagesReplyWriter.ts';
import { createResponseHead } from '#models/translate/responses/responseHead.ts';
import { ResponseMaker } from '#models/translate/responses/responseMaker.ts';
import { ResponsesReplyWriter } from '#models/translate/responses/responsesReplyWriter.ts';
import { ResponseTools } from '#models/translate/responses/responseTools.ts';

const usage = {
	inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
	outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finish: LanguageModelV4StreamPart = { type: 'finish', finishReason: { unified: 'tool-calls', raw: undefined }, usage };

/** Calls that all start before the first one ends. */
function* createMixedCalls(count: number): Generator<LanguageModelV4StreamPart> {
	for (let i = 0; i < count; i++) {
		yield { type: 'tool-input-start', id: `call ${i}`, toolName: 'tool' };
		yield { type: 'tool-input-delta', id: `call ${i}`, delta: '{}' };
	}
	for (let i = 0; i < count; i++) {
		yield { type: 'tool-input-end', id: `call ${i}` };
		yield { type: 'tool-call', toolCallId: `call ${i}`, toolName: 'tool', input: '{}' };
	}
	yield finish;
}

function createResponsesWriter(): ResponsesReplyWriter {
	const request: ResponsesRequest = { model: 'm', input: 'x' };
	const tools = new ResponseTools(request, []);
	const head = createResponseHead(request, 'm', tools.kept, 1_000);
	return new ResponsesReplyWriter(new ResponseMaker(head, { tools, showsEncrypted: true, now: () => 2_000, onEnded: () => {} }));
}

describe('replies with interleaved parts', () => {
	for (const [name, make] of [
		['messages', () => new MessagesReplyWriter('m', 1)],
		['responses', createResponsesWriter],
	] as const) {
		it(`are written in time proportional to their calls: ${name}`, () => {
			const began = process.cpuUsage();
			const writer = make();
			let starts = 0;
			for (const part of createMixedCalls(12_000)) {
				starts +=
					writer.writePart(part).split(/"call_id":"[^"]+","name":"tool","arguments":"","status":"in_progress"|"type":"tool_use"/).length -
					1;
			}
			assert.equal(starts, 12_000);
			assert.ok(process.cpuUsage(began).user < 5_000_000);
		});
	}

	it('store a thought once, however often its service signs it', () => {
		const writer = new ContentReplyWriter('m', true);
		writer.writePart({ type: 'reasoning-start', id: '0' });
		writer.writePart({ type: 'reasoning-delta', id: '0', delta: 'x'.repeat(100_000) });
		for (let i = 0; i < 1000; i++) {
			writer.writePart({ type: 'reasoning-delta', id: '0', delta: '', providerMetadata: { anthropic: { signature: `signature ${i}` } } });
		}
		const text = writer.writePart({ type: 'tool-call', toolCallId: 'call', toolName: 'tool', input: '{}' });
		const token = /"thoughtSignature":"([^"]+)"/.exec(text)?.[1] ?? '';
		assert.deepEqual(JSON.parse(Buffer.from(token, 'base64').toString()), {
			anthropic: [{ text: 'x'.repeat(100_000), anthropic: { signature: 'signature 999' } }],
		});
	});
});
