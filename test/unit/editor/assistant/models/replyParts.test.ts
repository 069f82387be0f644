import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { GenerateContentResponse } from '#contract/text/content.ts';
import { ReplyParts } from '#editor/assistant/models/replyParts.ts';
import type { SignedCall } from '#editor/assistant/models/signatures.ts';
import { ContentReplyReader } from '#editor/chat/endpoints/contentEndpoint.ts';
import type { ReplyStep } from '#editor/chat/endpoints/endpoint.ts';

const finish: ReplyStep = { type: 'finish', finish: { reason: 'STOP', text: 'finished', notable: false } };

/** Returns the parts reported to VS Code for these steps, and the saved calls. */
function playReply(steps: readonly ReplyStep[], cachedBeside = false): { reported: unknown[]; kept: readonly SignedCall[] } {
	const reported: unknown[] = [];
	let kept: readonly SignedCall[] = [];
	const parts = new ReplyParts({ report: part => void reported.push(toPlainPart(part)) }, cachedBeside, calls => {
		kept = calls;
	});
	for (const step of steps) {
		parts.handleStep(step);
	}
	parts.finishReply();
	return { reported, kept };
}

function toPlainPart(part: unknown): unknown {
	if (part instanceof vscode.LanguageModelTextPart) {
		return part.value;
	}
	if (part instanceof vscode.LanguageModelToolCallPart) {
		return { call: part.name, input: part.input };
	}
	if (part instanceof vscode.LanguageModelDataPart) {
		return { [part.mimeType]: part.mimeType === 'usage' ? JSON.parse(new TextDecoder().decode(part.data)) : part.data.length };
	}
	return { thought: (part as { value: unknown }).value };
}

describe('a reply converted to parts for VS Code', () => {
	it('has complete calls of generateContent with an ID and signatures', () => {
		const reader = new ContentReplyReader(vscode.l10n);
		const chunks: GenerateContentResponse[] = [
			{ candidates: [{ content: { parts: [{ text: 'I think', thought: true }] } }] },
			{ candidates: [{ content: { parts: [{ text: 'Look' }, { functionCall: { name: 'a', args: { x: 1 } }, thoughtSignature: 's' }] } }] },
			{
				candidates: [{ content: { parts: [{ functionCall: { name: 'b' } }] }, finishReason: 'STOP' }],
				usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 2, thoughtsTokenCount: 3 },
			},
		];
		const { reported, kept } = playReply(chunks.flatMap(chunk => [...reader.readChunk(chunk)]));
		assert.deepEqual(reported, [
			{ thought: 'I think' },
			'Look',
			{ call: 'a', input: { x: 1 } },
			{ call: 'b', input: {} },
			{ usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12, prompt_tokens_details: { cached_tokens: 0 } } },
		]);
		assert.deepEqual(
			kept.map(({ call }) => [call.name, call.signature, /^call_\w{32}$/.test(call.id)]),
			[
				['a', 's', true],
				['b', undefined, true],
			],
		);
	});

	it('has unique IDs even if a service sends duplicates', () => {
		const createCall = (input: string): ReplyStep => ({ type: 'part', part: { kind: 'toolCall', id: 'call_0', name: 'a', input } });
		const { reported, kept } = playReply([createCall('{"x":1}'), createCall('{"x":2}'), finish]);
		assert.deepEqual(reported, [
			{ call: 'a', input: { x: 1 } },
			{ call: 'a', input: { x: 2 } },
		]);
		const [first, second] = kept.map(each => each.call.id);
		assert.equal(first, 'call_0');
		assert.match(second ?? '', /^call_\w{32}$/);
	});

	it('counts cached tokens only once in each protocol', () => {
		const usage: ReplyStep = { type: 'usage', usage: { input: 10, output: 1, cached: 90 } };
		const countReplyTokens = (cachedBeside: boolean) =>
			(
				playReply([{ type: 'part', part: { kind: 'text', text: 'a' } }, usage, finish], cachedBeside).reported[1] as {
					usage: { prompt_tokens: number };
				}
			).usage.prompt_tokens;
		assert.deepEqual([countReplyTokens(true), countReplyTokens(false)], [100, 10]);
	});

	it('sends replaced text again if it does not continue the shown text', () => {
		const begun: ReplyStep = { type: 'part', part: { kind: 'text', text: 'Hello' } };
		const playPatchedReply = (text: string) => playReply([begun, { type: 'patch', index: 0, fields: { text } }, finish]).reported;
		assert.deepEqual(playPatchedReply('Hello you'), ['Hello', ' you']);
		assert.deepEqual(playPatchedReply('No'), ['Hello', '\n\nNo']);
	});

	it('is an error if it is incomplete, refused or empty, or has a call with incomplete input', () => {
		const createFinish = (reason: string): ReplyStep => ({ type: 'finish', finish: { reason, text: 'why', notable: true } });
		const text: ReplyStep = { type: 'part', part: { kind: 'text', text: 'a' } };
		assert.throws(() => playReply([text]), { reason: 'cut' });
		assert.throws(() => playReply([text, createFinish('SAFETY')]), { reason: 'blocked', message: 'why' });
		assert.throws(() => playReply([{ type: 'part', part: { kind: 'thinking', text: 'a' } }, createFinish('MAX_TOKENS')]), {
			reason: 'empty',
			message: 'why',
		});
		const call: ReplyStep = { type: 'part', part: { kind: 'toolCall', id: 'c', name: 'read', input: '{"path": "a' } };
		assert.throws(() => playReply([call, finish]), { reason: 'cut', message: /'read'/ });
	});
});
