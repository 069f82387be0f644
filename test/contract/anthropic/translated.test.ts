import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import type { GenerateContentResponse } from '#contract/text/content.ts';
import { formatGoogleBytes, listRecordedStreams } from '../fixtureStreams.ts';
import { postBytes } from '../post.ts';
import { createJsonResponse, createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const upstreamKey = 'upstream-secret-0123456789';
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const tool = {
	name: 'get_weather',
	description: 'Weather',
	input_schema: { type: 'object' as const, properties: { place: { type: 'string' } }, required: ['place'] },
};

/** A conversation with every kind of content that can be translated. */
const conversation: Anthropic.MessageCreateParamsNonStreaming = {
	model: '',
	max_tokens: 64,
	system: [{ type: 'text', text: 'Be brief.' }],
	stop_sequences: ['END'],
	tools: [tool],
	tool_choice: { type: 'any' },
	messages: [
		{
			role: 'user',
			content: [
				{ type: 'text', text: 'Look:' },
				{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
			],
		},
		{
			role: 'assistant',
			content: [
				{ type: 'text', text: 'Asking.' },
				{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { place: 'Oslo' } },
			],
		},
		{
			role: 'user',
			content: [
				{ type: 'tool_result', tool_use_id: 'toolu_1', content: '3 degrees' },
				{ type: 'text', text: 'And now?' },
			],
		},
	],
};

const completion = {
	id: 'chatcmpl-1',
	object: 'chat.completion',
	created: 1,
	model: 'local-model',
	choices: [{ index: 0, message: { role: 'assistant', content: 'Cold.' }, finish_reason: 'stop' }],
	usage: { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 },
};

function createOpenAiChunks(deltas: unknown[], finish: string): string {
	const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'local-model' };
	const chunks = [
		...deltas.map(delta => ({ ...base, choices: [{ index: 0, delta, finish_reason: null }] })),
		{ ...base, choices: [{ index: 0, delta: {}, finish_reason: finish }] },
		{ ...base, choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } },
	];
	return `${chunks.map(chunk => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
}

describe('/v1/messages and /v1/complete through services of other protocols', () => {
	let upstream: RecordingUpstream;
	let gateway: TextGateway;
	let client: Anthropic;

	before(async () => {
		upstream = await new RecordingUpstream().start();
		gateway = await startTextGateway(
			[
				{ model: 'gemini', provider: 'google', base_url: upstream.baseUrl, upstream_model: 'gemini-2.5-flash', key: 'UP' },
				{ model: 'local', provider: 'openai-compatible', base_url: `${upstream.baseUrl}/v1`, upstream_model: 'local-model', key: 'UP' },
				{ model: 'llama', provider: 'ollama', base_url: upstream.baseUrl },
				{ model: 'claude', provider: 'anthropic', base_url: upstream.baseUrl, key: 'UP' },
			],
			{ UP: upstreamKey },
			{ headers: 500, idle: 500 },
		);
		client = new Anthropic({ baseURL: gateway.baseUrl, apiKey: gateway.apiKey, maxRetries: 0 });
	});
	after(async () => {
		await gateway.close();
		await upstream.close();
	});

	const readSentBody = () => JSON.parse(upstream.last.body.toString()) as Record<string, unknown>;
	const createGeminiReply = (parts: unknown[], finishReason = 'STOP') => ({
		candidates: [{ content: { role: 'model', parts }, finishReason, index: 0 }],
		usageMetadata: {
			promptTokenCount: 20,
			candidatesTokenCount: 5,
			thoughtsTokenCount: 3,
			cachedContentTokenCount: 4,
			totalTokenCount: 28,
		},
		modelVersion: 'gemini-2.5-flash-001',
		responseId: 'r1',
	});

	it('translates a conversation to Gemini and its reply back', async () => {
		upstream.answer = createJsonResponse(createGeminiReply([{ text: 'Cold.' }]));
		const message = await client.messages.create({ ...conversation, model: 'gemini' });
		assert.equal(upstream.last.url, '/v1beta/models/gemini-2.5-flash:generateContent');
		assert.equal(upstream.last.headers['x-goog-api-key'], upstreamKey);
		const body = readSentBody();
		assert.deepEqual(body['systemInstruction'], { parts: [{ text: 'Be brief.' }] });
		assert.deepEqual(body['generationConfig'], { maxOutputTokens: 64, stopSequences: ['END'] });
		const contents = body['contents'] as { role: string; parts: Record<string, unknown>[] }[];
		assert.deepEqual(
			contents.map(({ role }) => role),
			['user', 'model', 'user', 'user'],
		);
		assert.deepEqual(contents[0]?.parts, [{ text: 'Look:' }, { inlineData: { mimeType: 'image/png', data: pixel } }]);
		const call = contents[1]?.parts[1]?.['functionCall'] as { name: string; args: unknown };
		assert.equal(call.name, 'get_weather');
		assert.deepEqual(call.args, { place: 'Oslo' });
		assert.match(JSON.stringify(contents[2]?.parts[0]), /"functionResponse".*"name":"get_weather".*3 degrees/);
		assert.deepEqual(contents[3]?.parts, [{ text: 'And now?' }]);
		assert.equal((body['toolConfig'] as { functionCallingConfig: { mode: string } }).functionCallingConfig.mode, 'ANY');
		assert.deepEqual(message.content, [{ type: 'text', text: 'Cold.' }]);
		assert.equal(message.stop_reason, 'end_turn');
		assert.equal(message.model, 'gemini-2.5-flash');
		assert.equal(message.usage.input_tokens, 16);
		assert.equal(message.usage.cache_read_input_tokens, 4);
		assert.equal(message.usage.output_tokens, 8);
	});

	it('sends only the settings of the caller', async () => {
		upstream.answer = createJsonResponse(completion);
		await client.post('/v1/messages', { body: { model: 'local', messages: [{ role: 'user', content: 'x' }] } });
		assert.deepEqual(readSentBody(), { model: 'local-model', messages: [{ role: 'user', content: 'x' }] });
		await client.post('/v1/messages', {
			body: { model: 'local', messages: [{ role: 'user', content: 'x' }], temperature: 0.5, top_p: 0.25, max_tokens: 9 },
		});
		assert.deepEqual(readSentBody(), {
			model: 'local-model',
			messages: [{ role: 'user', content: 'x' }],
			temperature: 0.5,
			top_p: 0.25,
			max_tokens: 9,
		});
	});

	it('translates a conversation to an OpenAI-compatible service and to Ollama', async () => {
		for (const [model, path, authorization] of [
			['local', '/v1/chat/completions', `Bearer ${upstreamKey}`],
			['llama', '/v1/chat/completions', undefined],
		] as const) {
			upstream.answer = createJsonResponse(completion);
			const message = await client.messages.create({ ...conversation, model });
			assert.equal(upstream.last.url, path);
			assert.equal(upstream.last.headers.authorization, authorization);
			const body = readSentBody();
			assert.deepEqual(body['stop'], ['END']);
			assert.equal(body['tool_choice'], 'required');
			const messages = body['messages'] as { role: string; content: unknown; tool_calls?: unknown; tool_call_id?: string }[];
			assert.deepEqual(
				messages.map(({ role }) => role),
				['system', 'user', 'assistant', 'tool', 'user'],
			);
			assert.match(JSON.stringify(messages[1]?.content), /image_url.*data:image\/png;base64/);
			assert.equal(messages[3]?.tool_call_id, 'toolu_1');
			assert.equal(messages[3]?.content, '3 degrees');
			assert.deepEqual(message.content, [{ type: 'text', text: 'Cold.' }]);
			assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [11, 2]);
		}
	});

	it('streams text, thoughts and signed tool calls from Gemini and accepts the signature back', async () => {
		const createEventLine = (parts: unknown[], finishReason?: string) =>
			JSON.stringify({
				candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) }],
				usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 },
			});
		upstream.answer = createStreamResponse(
			formatGoogleBytes([
				createEventLine([{ text: 'Let me see.', thought: true }]),
				createEventLine([{ text: 'I will ' }]),
				createEventLine([{ text: 'ask.' }]),
				createEventLine([{ functionCall: { name: 'get_weather', args: { place: 'Oslo' } }, thoughtSignature: 'c2lnbmVk' }], 'STOP'),
			]),
			40,
		);
		const types: string[] = [];
		const question = { role: 'user' as const, content: 'Weather?' };
		const stream = client.messages.stream({ model: 'gemini', max_tokens: 99, tools: [tool], messages: [question] });
		stream.on('streamEvent', event => {
			if (types.at(-1) !== event.type) {
				types.push(event.type);
			}
		});
		const message = await stream.finalMessage();
		const [thought, text, signed, call] = message.content;
		assert.equal(message.content.length, 4);
		assert.equal(thought?.type === 'thinking' && thought.thinking, 'Let me see.');
		assert.equal(text?.type === 'text' && text.text, 'I will ask.');
		assert.deepEqual(signed, { type: 'thinking', thinking: '', signature: 'agent-workbench.google.c2lnbmVk' });
		assert.ok(call?.type === 'tool_use');
		assert.deepEqual(call.input, { place: 'Oslo' });
		assert.equal(message.stop_reason, 'tool_use');
		assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [20, 5]);
		assert.equal(types[0], 'message_start');
		assert.equal(types.at(-1), 'message_stop');

		upstream.answer = createJsonResponse(createGeminiReply([{ text: 'Cold.' }]));
		await client.messages.create({
			model: 'gemini',
			max_tokens: 99,
			tools: [tool],
			messages: [
				question,
				{ role: 'assistant', content: message.content },
				{ role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: '3 degrees' }] },
			],
		});
		assert.match(upstream.last.body.toString(), /"functionCall":\{[^}]*"name":"get_weather".*"thoughtSignature":"c2lnbmVk"/);
	});

	it('streams two tool calls with interleaved input as two blocks', async () => {
		const createCallDelta = (index: number, part: object) => ({ tool_calls: [{ index, ...part }] });
		upstream.answer = createStreamResponse(
			createOpenAiChunks(
				[
					{ role: 'assistant', content: '' },
					createCallDelta(0, { id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '{"place":' } }),
					createCallDelta(1, { id: 'call_b', type: 'function', function: { name: 'get_weather', arguments: '{"pla' } }),
					createCallDelta(0, { function: { arguments: '"Oslo"}' } }),
					createCallDelta(1, { function: { arguments: 'ce":"Rome"}' } }),
				],
				'tool_calls',
			),
		);
		const message = await client.messages
			.stream({ model: 'local', max_tokens: 99, tools: [tool], messages: [{ role: 'user', content: 'Both' }] })
			.finalMessage();
		assert.deepEqual(
			message.content.map(block => (block.type === 'tool_use' ? [block.id, block.input] : block.type)),
			[
				['call_a', { place: 'Oslo' }],
				['call_b', { place: 'Rome' }],
			],
		);
		assert.equal(message.stop_reason, 'tool_use');
		assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [11, 7]);
	});

	describe('recorded streams of Gemini', () => {
		const streams = listRecordedStreams('google');
		for (const { name, lines } of streams) {
			it(`${name}: returns every text, thought and call`, async () => {
				upstream.answer = createStreamResponse(formatGoogleBytes(lines), 700);
				const chunks = lines.map(line => JSON.parse(line) as GenerateContentResponse);
				const parts = chunks.flatMap(chunk => chunk.candidates?.[0]?.content?.parts ?? []);
				const message = await client.messages
					.stream({ model: 'gemini', max_tokens: 99, tools: [tool], messages: [{ role: 'user', content: 'x' }] })
					.finalMessage();
				const joinPartTexts = (thought: boolean) =>
					parts
						.filter(part => Boolean(part['thought']) === thought)
						.map(part => part.text ?? '')
						.join('');
				assert.equal(message.content.map(block => (block.type === 'text' ? block.text : '')).join(''), joinPartTexts(false));
				assert.equal(message.content.map(block => (block.type === 'thinking' ? block.thinking : '')).join(''), joinPartTexts(true));
				const names = parts.flatMap(part => (part['functionCall'] as { name?: string } | undefined)?.name ?? []);
				assert.deepEqual(
					message.content.flatMap(block => (block.type === 'tool_use' ? [block.name] : [])),
					names,
				);
				assert.equal(message.stop_reason, names.length > 0 ? 'tool_use' : 'end_turn');
				const usage = chunks.findLast(chunk => chunk.usageMetadata)?.usageMetadata;
				assert.equal(message.usage.input_tokens + (message.usage.cache_read_input_tokens ?? 0), usage?.promptTokenCount);
				assert.equal(message.usage.output_tokens, (usage?.candidatesTokenCount ?? 0) + Number(usage?.['thoughtsTokenCount'] ?? 0));
			});
		}
		it('exist in the fixtures', function () {
			if (streams.length === 0) {
				console.log('      no recorded streams beside the repository: skipped');
				this.skip();
			}
		});
	});

	it('maps the finish reasons of a reply', async () => {
		for (const [reason, expected] of [
			['STOP', 'end_turn'],
			['MAX_TOKENS', 'max_tokens'],
			['SAFETY', 'refusal'],
			['RECITATION', 'refusal'],
			['OTHER', 'end_turn'],
		] as const) {
			upstream.answer = createJsonResponse(createGeminiReply([{ text: 'x' }], reason));
			const message = await client.messages.create({ model: 'gemini', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] });
			assert.equal(message.stop_reason, expected, reason);
		}
	});

	it('reports a blocked prompt as a refusal', async () => {
		upstream.answer = createJsonResponse({
			promptFeedback: { blockReason: 'SAFETY' },
			usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 },
		});
		const message = await client.messages.create({ model: 'gemini', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] });
		assert.equal(message.stop_reason, 'refusal');
		assert.deepEqual(message.content, []);
	});

	it("returns the status and message of an upstream's error in the caller's protocol", async () => {
		const requestMessage = () => client.messages.create({ model: 'gemini', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] });
		upstream.answer = createJsonResponse(
			{
				error: {
					code: 429,
					message: `Quota of ${upstreamKey} is used up`,
					status: 'RESOURCE_EXHAUSTED',
					details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.07s' }],
				},
			},
			429,
		);
		await assert.rejects(requestMessage(), (error: unknown) => {
			assert.ok(error instanceof Anthropic.RateLimitError);
			assert.match(error.message, /rate_limit_error.*Quota of \[key\] is used up/);
			assert.equal(error.headers.get('retry-after'), '35');
			return true;
		});
		upstream.answer = createJsonResponse('<html>no</html>', 503, { 'content-type': 'text/html' });
		await assert.rejects(requestMessage(), (error: unknown) => error instanceof Anthropic.InternalServerError && error.status === 503);
		upstream.answer = (_request, response) => void response.destroy();
		await assert.rejects(requestMessage(), (error: unknown) => error instanceof Anthropic.InternalServerError && error.status === 502);
		upstream.answer = () => {};
		await assert.rejects(requestMessage(), (error: unknown) => error instanceof Anthropic.InternalServerError && error.status === 504);
	});

	it('returns the status of a refused stream and ends a broken one with an error', async () => {
		const requestMessage = () => client.messages.stream({ model: 'local', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] });
		upstream.answer = createJsonResponse({ error: { message: 'no such model', type: 'invalid_request_error' } }, 404);
		await assert.rejects(requestMessage().finalMessage(), Anthropic.NotFoundError);
		upstream.answer = (_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write(`data: ${JSON.stringify({ id: '1', model: 'm', choices: [{ index: 0, delta: { content: 'Half' } }] })}\n\n`, () =>
				response.destroy(),
			);
		};
		let text = '';
		await assert.rejects(
			requestMessage()
				.on('text', piece => {
					text += piece;
				})
				.finalMessage(),
			/api_error|broke off|No response/,
		);
		assert.equal(text, 'Half');
		for (const [model, bytes] of [
			['local', `data: ${JSON.stringify({ id: '1', model: 'm', choices: [{ index: 0, delta: { content: 'Half' } }] })}\n\n`],
			[
				'gemini',
				formatGoogleBytes([JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text: 'Half' }] }, index: 0 }] })]),
			],
		] as const) {
			upstream.answer = createStreamResponse(bytes);
			const stream = client.messages.stream({ model, max_tokens: 9, messages: [{ role: 'user', content: 'x' }] });
			await assert.rejects(stream.finalMessage(), /ended before it was complete|ended without a finish reason/, model);
		}
	});

	it('forwards an error that the service sends within its stream', async () => {
		upstream.answer = createStreamResponse('data: {"error":{"message":"out of memory","type":"server_error"}}\n\n');
		await assert.rejects(
			client.messages.stream({ model: 'local', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] }).finalMessage(),
			/out of memory/,
		);
	});

	it("reports tool arguments that aren't JSON", async () => {
		const message = {
			role: 'assistant',
			content: null,
			tool_calls: [{ id: 'c', type: 'function', function: { name: 'get_weather', arguments: '{oops' } }],
		};
		upstream.answer = createJsonResponse({ ...completion, choices: [{ index: 0, message, finish_reason: 'tool_calls' }] });
		await assert.rejects(
			client.messages.create({ model: 'local', max_tokens: 9, tools: [tool], messages: [{ role: 'user', content: 'x' }] }),
			/called get_weather with input that isn't valid JSON/,
		);
	});

	it('cancels the upstream request when the caller disconnects', async () => {
		upstream.answer = (_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write(
				formatGoogleBytes([JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text: 'One' }] }, index: 0 }] })]),
			);
		};
		const stream = client.messages.stream({ model: 'gemini', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] });
		stream.on('text', () => stream.abort());
		await assert.rejects(stream.finalMessage(), Anthropic.APIUserAbortError);
		await upstream.last.closed;
	});

	it("fetches an image for a service that can't, and refuses other content", async () => {
		const picture = await new RecordingUpstream().start();
		try {
			const requestMessage = (url: string) =>
				client.messages.create({
					model: 'gemini',
					max_tokens: 9,
					messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }],
				});
			upstream.answer = createJsonResponse(createGeminiReply([{ text: 'A dot.' }]));
			picture.answer = (_request, response) => {
				response.writeHead(200, { 'content-type': 'image/png' });
				response.end(Buffer.from(pixel, 'base64'));
			};
			await requestMessage(`${picture.baseUrl}/a.png`);
			assert.deepEqual((readSentBody()['contents'] as { parts: unknown[] }[])[0]?.parts, [
				{ inlineData: { mimeType: 'image/png', data: pixel } },
			]);
			picture.answer = createJsonResponse('<html>', 200, { 'content-type': 'text/html' });
			await assert.rejects(requestMessage(`${picture.baseUrl}/a.html`), Anthropic.BadRequestError);
		} finally {
			await picture.close();
		}
	});

	it("counts tokens with Gemini's own counter and estimates them for other services", async () => {
		const messages = [{ role: 'user' as const, content: 'Hello there' }];
		upstream.answer = createJsonResponse({ totalTokens: 123 });
		assert.deepEqual(await client.messages.countTokens({ model: 'gemini', messages, system: 'Be brief.' }), { input_tokens: 123 });
		assert.equal(upstream.last.url, '/v1beta/models/gemini-2.5-flash:countTokens');
		const { generateContentRequest: counted } = readSentBody() as { generateContentRequest: { model: string; systemInstruction: unknown } };
		assert.equal(counted.model, 'models/gemini-2.5-flash');
		assert.deepEqual(counted.systemInstruction, { parts: [{ text: 'Be brief.' }] });
		upstream.answer = createJsonResponse({ error: { code: 429, message: 'no', status: 'RESOURCE_EXHAUSTED' } }, 429);
		await assert.rejects(client.messages.countTokens({ model: 'gemini', messages }), Anthropic.RateLimitError);
		assert.ok((await client.messages.countTokens({ model: 'local', messages })).input_tokens > 0);
	});

	describe('completions', () => {
		const postCompletion = async (body: Record<string, unknown>) => {
			const reply = await postBytes(
				`${gateway.baseUrl}/v1/complete`,
				JSON.stringify({ max_tokens_to_sample: 50, prompt: '\n\nHuman: Hi\n\nAssistant:', ...body }),
				{ 'x-api-key': gateway.apiKey, 'provider-version': '2023-06-01' },
			);
			return { status: reply.status, text: reply.body.toString() };
		};

		it('send messages to Anthropic', async () => {
			upstream.answer = createJsonResponse({
				id: 'msg_1',
				type: 'message',
				role: 'assistant',
				model: 'claude-x',
				content: [{ type: 'text', text: 'Hello' }],
				stop_reason: 'end_turn',
				stop_sequence: null,
				usage: { input_tokens: 3, output_tokens: 1 },
			});
			const reply = await postCompletion({
				model: 'claude',
				prompt: 'Rules.\n\nHuman: One\n\nAssistant: Two\n\nHuman: Three\n\nAssistant: Four, ',
				stop_sequences: ['X'],
				temperature: 0.5,
			});
			assert.equal(reply.status, 200, reply.text);
			assert.equal(upstream.last.url, '/v1/messages');
			assert.equal(upstream.last.headers['x-api-key'], upstreamKey);
			const body = readSentBody();
			assert.deepEqual(body['stop_sequences'], ['\n\nHuman:', 'X']);
			assert.equal(body['max_tokens'], 50);
			assert.match(JSON.stringify(body['system']), /Rules\./);
			assert.deepEqual(
				(body['messages'] as { role: string; content: { text: string }[] }[]).map(({ role, content }) => [role, content[0]?.text]),
				[
					['user', 'One'],
					['assistant', 'Two'],
					['user', 'Three'],
					['assistant', 'Four,'],
				],
			);
			const answer = JSON.parse(reply.text) as Record<string, unknown>;
			assert.match(String(answer['id']), /^compl_/);
			assert.deepEqual(
				{ ...answer, id: '' },
				{ id: '', type: 'completion', model: 'claude-x', completion: 'Hello', stop_reason: 'stop_sequence', stop: '\n\nHuman:' },
			);
		});

		it('stream increments and end with an empty one with the stop reason', async () => {
			upstream.answer = createStreamResponse(createOpenAiChunks([{ content: 'Hel' }, { content: 'lo' }], 'length'));
			const { text } = await postCompletion({ model: 'local', stream: true });
			const events = text
				.split('\n\n')
				.filter(Boolean)
				.map(event => /^event: (.*)\ndata: (.*)$/.exec(event));
			assert.deepEqual(
				events.map(match => [match?.[1], JSON.parse(match?.[2] ?? '').completion, JSON.parse(match?.[2] ?? '').stop_reason]),
				[
					['completion', 'Hel', null],
					['completion', 'lo', null],
					['completion', '', 'max_tokens'],
				],
			);
		});

		it('report the matched stop sequence of the offline model', async () => {
			const { text } = await postCompletion({
				model: 'offline',
				prompt: '\n\nHuman: stop HERE please\n\nAssistant:',
				stop_sequences: ['HERE'],
			});
			const answer = JSON.parse(text) as Record<string, unknown>;
			assert.equal(answer['stop_reason'], 'stop_sequence');
			assert.equal(answer['stop'], 'HERE');
			assert.ok(String(answer['completion']).endsWith('You wrote: "stop '));
		});

		it("refuse invalid prompts and values with the API's messages", async () => {
			const cases: [Record<string, unknown>, RegExp][] = [
				[{ prompt: 'Hi' }, /prompt must start with \\"\\\\n\\\\nHuman:\\" turn/],
				[{ prompt: '\n\nHuman: Hi' }, /prompt must end with \\"\\\\n\\\\nAssistant:\\" turn/],
				[{ prompt: undefined }, /prompt: Field required/],
				[{ max_tokens_to_sample: undefined }, /max_tokens_to_sample: Field required/],
				[{ max_tokens_to_sample: 1 }, /max_tokens_to_sample/],
				[{ temperature: 0 }, /temperature/],
				[{ temperature: 1 }, /temperature/],
				[{ top_p: 1 }, /top_p/],
				[{ top_k: 0 }, /top_k/],
			];
			for (const [extra, words] of cases) {
				const { status, text } = await postCompletion({ model: 'offline', ...extra });
				assert.equal(status, 400, JSON.stringify(extra));
				assert.match(text, /"type":"invalid_request_error"/);
				assert.match(text, words);
			}
		});
	});
});
