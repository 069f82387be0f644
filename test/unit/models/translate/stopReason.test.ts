import assert from 'node:assert/strict';
import type { LanguageModelV4FinishReason, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { createMessagesReply } from '#models/translate/messages/messagesReply.ts';
import { MessagesReplyWriter } from '#models/translate/messages/messagesReplyWriter.ts';

const usage = {
	inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
	outputTokens: { total: 1, text: 1, reasoning: 0 },
};

describe('the stop reason of a translated message', () => {
	for (const [unified, hasCall, expected] of [
		['stop', true, 'tool_use'],
		['other', true, 'tool_use'],
		['tool-calls', true, 'tool_use'],
		['length', true, 'max_tokens'],
		['content-filter', true, 'refusal'],
		['stop', false, 'end_turn'],
	] as const) {
		it(`is ${expected} for a reply ${hasCall ? 'with' : 'without'} a call that the service ended with ${unified}`, () => {
			const finishReason: LanguageModelV4FinishReason = { unified, raw: unified };
			const call = { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: '{}' } as const;
			const text = { type: 'text', text: 'x' } as const;
			const result: LanguageModelV4GenerateResult = { content: hasCall ? [text, call] : [text], finishReason, usage, warnings: [] };
			assert.equal(createMessagesReply(result, 'm').stop_reason, expected);

			const writer = new MessagesReplyWriter('m', 1);
			const parts = hasCall ? [call] : [{ type: 'text-delta', id: 't', delta: 'x' } as const];
			const written = [...parts, { type: 'finish', finishReason, usage } as const].map(part => writer.writePart(part)).join('');
			assert.match(written, new RegExp(`"stop_reason":"${expected}"`));
		});
	}
});
