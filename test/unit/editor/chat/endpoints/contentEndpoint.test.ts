import assert from 'node:assert/strict';
import type { GenerateContentResponse } from '#contract/text/content.ts';
import { ContentReplyReader, createContentBody } from '#editor/chat/endpoints/contentEndpoint.ts';
import type { ChatPart, Turn } from '#pages/chat/transcript/transcript.ts';
import { words } from './words.ts';

const createTurn = (role: Turn['role'], ...parts: ChatPart[]): Turn => ({ id: 'x', parent: null, role, parts, at: 0 });
const readChunks = (...chunks: GenerateContentResponse[]) => {
	const reader = new ContentReplyReader(words);
	return chunks.flatMap(chunk => [...reader.readChunk(chunk)]);
};

describe('a generateContent call with streamed arguments', () => {
	it('becomes one call with all arguments', () => {
		const createCallChunk = (functionCall: object, extra: object = {}) => ({
			candidates: [{ content: { parts: [{ functionCall, ...extra }] } }],
		});
		const steps = readChunks(
			createCallChunk({ name: 'f', willContinue: true }, { thoughtSignature: 's' }),
			createCallChunk({ partialArgs: [{ jsonPath: '$.places[0].name', stringValue: 'Os', willContinue: true }], willContinue: true }),
			createCallChunk({ partialArgs: [{ jsonPath: '$.places[0].name', stringValue: 'lo' }], willContinue: true }),
			createCallChunk({
				partialArgs: [
					{ jsonPath: '$.days', numberValue: 0 },
					{ jsonPath: '$.all', boolValue: false },
					{ jsonPath: '$.x', nullValue: null },
				],
				willContinue: true,
			}),
			createCallChunk({
				partialArgs: [{ jsonPath: '$.places[]' }, { jsonPath: '$.none[]' }, { jsonPath: '$.__proto__.y', stringValue: 'z' }],
				willContinue: true,
			}),
			createCallChunk({}),
			createCallChunk({ name: 'g', args: { a: 1 } }),
		);
		assert.deepEqual(
			steps.flatMap(step => (step.type === 'part' ? [step.part] : [])),
			[
				{ kind: 'toolCall', id: '', name: 'f', input: '{}', signature: 's' },
				{ kind: 'toolCall', id: '', name: 'g', input: '{"a":1}' },
			],
		);
		const last = steps.findLast(step => step.type === 'patch');
		assert.equal(last?.type === 'patch' && last.index, 0);
		assert.deepEqual(JSON.parse(last?.type === 'patch' ? (last.fields.input ?? '') : ''), {
			places: [{ name: 'Oslo' }],
			days: 0,
			all: false,
			x: null,
			none: [],
		});
	});
});

describe('a chat as a generateContent request', () => {
	it('puts sampling settings into generationConfig and others at the top level', () => {
		const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }];
		const body = createContentBody({
			model: 'm',
			system: 'Be brief',
			settings: { temperature: 2, stopSequences: ['x'], safetySettings },
			turns: [createTurn('user', { kind: 'text', text: 'hi' })],
			user: 'u',
		});
		assert.deepEqual(body, {
			contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
			system_instruction: { parts: { text: 'Be brief' } },
			safetySettings,
			generationConfig: { temperature: 2, stopSequences: ['x'] },
		});
	});

	it('sends images inline and signatures back', () => {
		const body = createContentBody({
			model: 'm',
			system: '',
			settings: {},
			turns: [
				createTurn('user', { kind: 'image', name: 'p', mimeType: 'image/png', data: 'AA' }),
				createTurn(
					'assistant',
					{ kind: 'text', text: 'a', signature: 's' },
					{ kind: 'toolCall', id: '', name: 'f', input: '{}', signature: 't' },
				),
				createTurn('user', { kind: 'toolResult', id: '', name: 'f', output: '1', isError: false }),
			],
			user: 'u',
		});
		assert.deepEqual(body.contents, [
			{ role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'AA' } }] },
			{
				role: 'model',
				parts: [
					{ text: 'a', thoughtSignature: 's' },
					{ functionCall: { name: 'f', args: {} }, thoughtSignature: 't' },
				],
			},
			{ role: 'user', parts: [{ functionResponse: { name: 'f', response: { result: '1' } } }] },
		]);
	});
});

describe('a generateContent stream as steps of a reply', () => {
	it('reads thoughts, text, usage and the finish reason', () => {
		const steps = readChunks(
			{ candidates: [{ content: { parts: [{ text: 'hm', thought: true }] } }], modelVersion: 'v' },
			{ candidates: [{ content: { parts: [{ text: 'Hel' }] } }], modelVersion: 'v' },
			{
				candidates: [{ content: { parts: [{ text: 'lo' }, { text: '', thoughtSignature: 'sig' }] }, finishReason: 'STOP' }],
				usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 },
			},
		);
		assert.deepEqual(
			steps.filter(step => step.type === 'part').map(step => step.part.kind),
			['thinking', 'text'],
		);
		assert.deepEqual(
			steps.filter(step => step.type === 'text').map(step => [step.index, step.text]),
			[
				[0, 'hm'],
				[1, 'Hel'],
				[1, 'lo'],
			],
		);
		assert.ok(steps.some(step => step.type === 'patch' && step.index === 1 && step.fields.signature === 'sig'));
		assert.ok(steps.some(step => step.type === 'usage' && step.usage.output === 2));
		assert.ok(steps.some(step => step.type === 'finish' && !step.finish.notable));
	});

	it('reports why a prompt was blocked', () => {
		assert.throws(
			() => readChunks({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }),
			/blocked this message.*The content is prohibited/,
		);
	});

	it('reports a candidate without content as cut', () => {
		const [step] = readChunks({ candidates: [{ finishReason: 'SAFETY' }] });
		assert.ok(step?.type === 'finish' && step.finish.notable && /safety settings of the service don't allow/.test(step.finish.text));
	});

	it('keeps unknown parts, and shows only the first candidate', () => {
		const steps = readChunks({
			candidates: [
				{ index: 1, content: { parts: [{ text: 'other' }] } },
				{ index: 0, content: { parts: [{ executableCode: { code: '1' } }] } },
			],
		});
		assert.deepEqual(steps, [
			{ type: 'part', part: { kind: 'other', endpoint: 'content', type: 'executableCode', value: { executableCode: { code: '1' } } } },
		]);
	});

	it('reads both spellings of inline data', () => {
		const steps = readChunks({
			candidates: [
				{
					content: {
						parts: [{ inlineData: { mimeType: 'image/png', data: 'A' } }, { inline_data: { mime_type: 'audio/mp3', data: 'B' } }],
					},
				},
			],
		});
		assert.deepEqual(
			steps.flatMap(step => (step.type === 'part' ? [step.part.kind] : [])),
			['image', 'audio'],
		);
	});
});
