import assert from 'node:assert/strict';
import { ApiError, type Content, FunctionCallingConfigMode, GoogleGenAI, Type } from '@google/genai';
import { formatAnthropicBytes, listRecordedStreams } from '../fixtureStreams.ts';
import { postBytes } from '../post.ts';
import { createJsonResponse, createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const upstreamKey = 'upstream-secret-0123456789';
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const functionDeclarations = [
	{
		name: 'get_weather',
		description: 'Weather',
		parameters: { type: Type.OBJECT, properties: { place: { type: Type.STRING, nullable: true } }, required: ['place'] },
	},
];

/** Encodes Anthropic's thoughts as the signature of a call. Gemini clients keep signatures, but they drop thoughts. */
function encodeThoughts(text: string, signature: string): string {
	return Buffer.from(JSON.stringify({ anthropic: [{ text, anthropic: { signature } }] })).toString('base64');
}

function createClaudeMessage(content: unknown[], extra: object = {}) {
	return {
		id: 'msg_1',
		type: 'message',
		role: 'assistant',
		model: 'real-claude',
		content,
		stop_reason: 'end_turn',
		stop_sequence: null,
		usage: { input_tokens: 10, output_tokens: 4, cache_read_input_tokens: 2, cache_creation_input_tokens: 0 },
		...extra,
	};
}

describe('the Gemini API through services of other protocols', () => {
	let upstream: RecordingUpstream;
	let gateway: TextGateway;
	let client: GoogleGenAI;

	before(async () => {
		upstream = await new RecordingUpstream().start();
		gateway = await startTextGateway(
			[
				{ model: 'claude', provider: 'anthropic', base_url: upstream.baseUrl, upstream_model: 'real-claude', key: 'UP' },
				{ model: 'local', provider: 'openai-compatible', base_url: `${upstream.baseUrl}/v1` },
			],
			{ UP: upstreamKey },
		);
		client = new GoogleGenAI({ apiKey: gateway.apiKey, httpOptions: { baseUrl: gateway.baseUrl } });
	});
	after(async () => {
		await gateway.close();
		await upstream.close();
	});

	const readSentBody = () => JSON.parse(upstream.last.body.toString()) as Record<string, unknown>;

	it('translates a conversation to Anthropic and its reply back', async () => {
		upstream.answer = createJsonResponse(
			createClaudeMessage(
				[
					{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
					{ type: 'text', text: 'Asking again.' },
					{ type: 'tool_use', id: 'toolu_2', name: 'get_weather', input: { place: 'Rome' } },
				],
				{ stop_reason: 'tool_use' },
			),
		);
		const contents: Content[] = [
			{ role: 'user', parts: [{ text: 'Look:' }, { inlineData: { mimeType: 'image/png', data: pixel } }] },
			{
				role: 'model',
				parts: [
					{ text: 'Before.', thought: true, thoughtSignature: 'b2xk' },
					{ text: 'One ' },
					{ text: 'two.' },
					{ functionCall: { name: 'get_weather', args: { place: 'Oslo' } } },
				],
			},
			{ role: 'user', parts: [{ functionResponse: { name: 'get_weather', response: { output: '3 degrees' } } }] },
		];
		const reply = await client.models.generateContent({
			model: 'claude',
			contents,
			config: {
				systemInstruction: 'Be brief.',
				maxOutputTokens: 64,
				temperature: 0.5,
				stopSequences: ['END'],
				tools: [{ functionDeclarations }],
				toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
			},
		});
		assert.equal(upstream.last.url, '/v1/messages');
		assert.equal(upstream.last.headers['x-api-key'], upstreamKey);
		const body = readSentBody();
		assert.equal(body['model'], 'real-claude');
		assert.equal(body['max_tokens'], 64);
		assert.equal(body['temperature'], 0.5);
		assert.equal(body['top_p'], undefined);
		assert.deepEqual(body['stop_sequences'], ['END']);
		assert.deepEqual(body['tool_choice'], { type: 'auto' });
		const [declared] = body['tools'] as { input_schema: unknown }[];
		assert.deepEqual(declared?.input_schema, { type: 'object', properties: { place: { type: ['string', 'null'] } }, required: ['place'] });
		const messages = body['messages'] as { role: string; content: Record<string, unknown>[] }[];
		assert.deepEqual(messages[0]?.content[1], { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } });
		const [thought, said, call] = messages[1]?.content ?? [];
		assert.deepEqual(thought, { type: 'thinking', thinking: 'Before.', signature: 'b2xk' });
		assert.deepEqual(said, { type: 'text', text: 'One two.' });
		assert.equal(call?.['type'], 'tool_use');
		assert.equal(messages[2]?.content[0]?.['tool_use_id'], call?.['id']);

		const [candidate] = reply.candidates ?? [];
		assert.deepEqual(candidate?.content?.parts, [
			{ text: 'Hm.', thought: true, thoughtSignature: 'c2ln' },
			{ text: 'Asking again.' },
			{ functionCall: { id: 'toolu_2', name: 'get_weather', args: { place: 'Rome' } }, thoughtSignature: encodeThoughts('Hm.', 'c2ln') },
		]);
		assert.equal(candidate?.finishReason, 'STOP');
		assert.equal(reply.modelVersion, 'real-claude');
		assert.equal(reply.usageMetadata?.promptTokenCount, 12);
		assert.equal(reply.usageMetadata?.cachedContentTokenCount, 2);
		assert.equal(reply.usageMetadata?.candidatesTokenCount, 4);
		assert.equal(reply.usageMetadata?.totalTokenCount, 16);
	});

	it('maps the finish reasons of a reply', async () => {
		for (const [reason, expected] of [
			['end_turn', 'STOP'],
			['stop_sequence', 'STOP'],
			['max_tokens', 'MAX_TOKENS'],
			['refusal', 'SAFETY'],
		] as const) {
			upstream.answer = createJsonResponse(createClaudeMessage([{ type: 'text', text: 'x' }], { stop_reason: reason }));
			const reply = await client.models.generateContent({ model: 'claude', contents: 'x' });
			assert.equal(reply.candidates?.[0]?.finishReason, expected, reason);
		}
	});

	it('streams thoughts, text and function calls from Anthropic', async () => {
		const events = [
			{ type: 'message_start', message: createClaudeMessage([], { stop_reason: null, usage: { input_tokens: 10, output_tokens: 1 } }) },
			{ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
			{ type: 'content_block_stop', index: 0 },
			{ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
			{ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hel' } },
			{ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'lo' } },
			{ type: 'content_block_stop', index: 1 },
			{ type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} } },
			{ type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"place":' } },
			{ type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '"Oslo"}' } },
			{ type: 'content_block_stop', index: 2 },
			{ type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 20 } },
			{ type: 'message_stop' },
		].map(event => JSON.stringify(event));
		upstream.answer = createStreamResponse(formatAnthropicBytes(events), 50);
		const chunks = [];
		for await (const chunk of await client.models.generateContentStream({
			model: 'claude',
			contents: 'x',
			config: { tools: [{ functionDeclarations }] },
		})) {
			chunks.push(chunk);
		}
		const parts = chunks.flatMap(chunk => chunk.candidates?.[0]?.content?.parts ?? []);
		assert.deepEqual(parts, [
			{ text: 'Hm.', thought: true },
			{ text: '', thought: true, thoughtSignature: 'c2ln' },
			{ text: 'Hel' },
			{ text: 'lo' },
			{ functionCall: { id: 'toolu_1', name: 'get_weather', args: { place: 'Oslo' } }, thoughtSignature: encodeThoughts('Hm.', 'c2ln') },
			{ text: '' },
		]);
		assert.equal(chunks.at(-1)?.candidates?.[0]?.finishReason, 'STOP');
		assert.equal(chunks.at(-1)?.usageMetadata?.totalTokenCount, 30);
	});

	describe('recorded streams of Anthropic', () => {
		const streams = listRecordedStreams('anthropic').filter(({ name }) =>
			['anthropic-text', 'anthropic-tool-no-args', 'anthropic-refusal'].includes(name),
		);
		for (const { name, lines } of streams) {
			it(`returns the text of ${name}`, async () => {
				upstream.answer = createStreamResponse(formatAnthropicBytes(lines), 300);
				let text = '';
				let reason: string | undefined;
				for await (const chunk of await client.models.generateContentStream({ model: 'claude', contents: 'x' })) {
					text += chunk.text ?? '';
					reason = chunk.candidates?.[0]?.finishReason ?? reason;
				}
				const expected = lines.map(line => (JSON.parse(line) as { delta?: { text?: string } }).delta?.text ?? '').join('');
				assert.equal(text, expected);
				assert.ok(reason);
			});
		}
		it('exist in the fixtures', function () {
			if (streams.length === 0) {
				console.log('      no recorded streams beside the repository: skipped');
				this.skip();
			}
		});
	});

	describe('recorded streams in which Anthropic runs tools itself', () => {
		const streams = listRecordedStreams('anthropic').filter(({ name }) => /web-search|code-execution|web-fetch/.test(name));
		for (const { name, lines } of streams) {
			it(`returns no call of ${name} to the caller`, async () => {
				upstream.answer = createStreamResponse(formatAnthropicBytes(lines), 5000);
				const own = new Set(lines.filter(line => line.includes('"type":"tool_use"')).map(line => /"name":"([^"]*)"/.exec(line)?.[1]));
				let text = '';
				for await (const chunk of await client.models.generateContentStream({ model: 'claude', contents: 'x' })) {
					for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
						assert.ok(!part.functionCall || own.has(part.functionCall.name), JSON.stringify(part.functionCall));
						text += part.thought ? '' : (part.text ?? '');
					}
				}
				assert.ok(text.length > 0);
			});
		}
		it('exist in the fixtures', function () {
			if (streams.length === 0) {
				console.log('      no recorded streams beside the repository: skipped');
				this.skip();
			}
		});
	});

	it('translates to an OpenAI-compatible service, with structured output', async () => {
		upstream.answer = createJsonResponse({
			id: 'c1',
			object: 'chat.completion',
			created: 1,
			model: 'local-1',
			choices: [{ index: 0, message: { role: 'assistant', content: '{"n":1}' }, finish_reason: 'length' }],
			usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 },
		});
		const reply = await client.models.generateContent({
			model: 'local',
			contents: 'x',
			config: {
				seed: 7,
				presencePenalty: 0.5,
				responseMimeType: 'application/json',
				responseSchema: { type: Type.OBJECT, properties: { n: { type: Type.INTEGER } } },
			},
		});
		const body = readSentBody();
		assert.equal(body['seed'], 7);
		assert.equal(body['presence_penalty'], 0.5);
		assert.match(JSON.stringify(body['response_format']), /"json_schema".*"type":"integer"/);
		assert.equal(reply.text, '{"n":1}');
		assert.equal(reply.candidates?.[0]?.finishReason, 'MAX_TOKENS');
		assert.equal(reply.usageMetadata?.totalTokenCount, 11);
	});

	it("returns the status and message of an upstream's error in the caller's protocol", async () => {
		upstream.answer = createJsonResponse({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 529, {
			'retry-after': '2',
		});
		const reply = await postBytes(
			`${gateway.baseUrl}/v1beta/models/claude:generateContent?key=${gateway.apiKey}`,
			'{"contents":{"parts":{"text":"x"}}}',
			{},
		);
		assert.equal(reply.status, 529);
		assert.equal(reply.headers['retry-after'], '2');
		const { error } = JSON.parse(reply.body.toString()) as { error: { code: number; message: string; status: string } };
		assert.equal(error.code, 529);
		assert.equal(error.status, 'UNAVAILABLE');
		assert.match(error.message, /Overloaded/);
		upstream.answer = createJsonResponse({ type: 'error', error: { type: 'not_found_error', message: 'model: nope' } }, 404);
		await assert.rejects(
			client.models.generateContent({ model: 'claude', contents: 'x' }),
			(thrown: unknown) => thrown instanceof ApiError && thrown.status === 404,
		);
	});

	it('ends a stream with the error that arrives within it', async () => {
		const events = [
			{ type: 'message_start', message: createClaudeMessage([], { stop_reason: null }) },
			{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half' } },
			{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
		].map(event => JSON.stringify(event));
		upstream.answer = createStreamResponse(formatAnthropicBytes(events));
		let text = '';
		await assert.rejects(
			async () => {
				for await (const chunk of await client.models.generateContentStream({ model: 'claude', contents: 'x' })) {
					text += chunk.text ?? '';
				}
			},
			(thrown: unknown) => thrown instanceof ApiError && thrown.status === 529 && /Overloaded/.test(thrown.message),
		);
		assert.equal(text, 'Half');
	});

	it("counts tokens with Anthropic's own counter", async () => {
		upstream.answer = createJsonResponse({ input_tokens: 77 });
		assert.equal((await client.models.countTokens({ model: 'claude', contents: 'Hello' })).totalTokens, 77);
		assert.equal(upstream.last.url, '/v1/messages/count_tokens');
		assert.deepEqual(Object.keys(readSentBody()).sort(), ['messages', 'model']);
	});
});
