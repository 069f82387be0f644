import assert from 'node:assert/strict';
import OpenAI, { APIError } from 'openai';
import type { ResponseCreateParamsNonStreaming, ResponseInputItem } from 'openai/resources/responses/responses';
import { readResponseStream } from '../../support/responseReader.ts';
import { formatAnthropicBytes, formatGoogleBytes, listRecordedStreams } from '../fixtureStreams.ts';
import { postBytes } from '../post.ts';
import { createJsonResponse, createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const upstreamKey = 'upstream-secret-0123456789';
const tools = [{ type: 'function' as const, name: 'look', parameters: { type: 'object', properties: {} }, strict: false }];

/** An Anthropic reply with visible and redacted thinking, text and a tool call. */
const claudeEvents = [
	{
		type: 'message_start',
		message: {
			id: 'm',
			type: 'message',
			role: 'assistant',
			model: 'real-claude',
			content: [],
			usage: { input_tokens: 9, output_tokens: 1, cache_read_input_tokens: 2 },
		},
	},
	{ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
	{ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'I should ' } },
	{ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'look.' } },
	{ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'signed-by-anthropic' } },
	{ type: 'content_block_stop', index: 0 },
	{ type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'secret' } },
	{ type: 'content_block_stop', index: 1 },
	{ type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
	{ type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'One moment.' } },
	{ type: 'content_block_stop', index: 2 },
	{ type: 'content_block_start', index: 3, content_block: { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} } },
	{ type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{"a":' } },
	{ type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '1}' } },
	{ type: 'content_block_stop', index: 3 },
	{ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 20 } },
	{ type: 'message_stop' },
].map(event => JSON.stringify(event));

const claudeText = createJsonResponse({
	id: 'm',
	type: 'message',
	role: 'assistant',
	model: 'real-claude',
	content: [{ type: 'text', text: 'Done.' }],
	stop_reason: 'end_turn',
	usage: { input_tokens: 3, output_tokens: 4 },
});

describe("/v1/responses with OpenAI's SDK", () => {
	let upstream: RecordingUpstream;
	let gateway: TextGateway;
	let client: OpenAI;

	before(async () => {
		upstream = await new RecordingUpstream().start();
		gateway = await startTextGateway(
			[
				{ model: 'claude', provider: 'anthropic', base_url: upstream.baseUrl, upstream_model: 'real-claude', key: 'UP' },
				{ model: 'gemini', provider: 'google', base_url: upstream.baseUrl, key: 'UP', upstream_model: 'gemini-3-pro' },
				{ model: 'local', provider: 'openai-compatible', base_url: `${upstream.baseUrl}/v1`, key: 'UP' },
				{
					model: 'own',
					provider: 'openai-compatible',
					base_url: `${upstream.baseUrl}/v1`,
					key: 'UP',
					upstream_model: 'theirs',
					responses: true,
				},
			],
			{ UP: upstreamKey },
		);
		client = new OpenAI({ apiKey: gateway.apiKey, baseURL: `${gateway.baseUrl}/v1`, maxRetries: 0 });
	});
	after(async () => {
		await gateway.close();
		await upstream.close();
	});
	beforeEach(() => {
		upstream.requests.length = 0;
	});

	// biome-ignore lint/suspicious/noExplicitAny: tests read untyped requests
	const readSentBody = (): any => JSON.parse(upstream.last.body.toString());
	const catchApiError = async (work: PromiseLike<unknown>): Promise<APIError> => {
		try {
			await work;
		} catch (error) {
			assert.ok(error instanceof APIError, String(error));
			return error;
		}
		return assert.fail('it was answered');
	};

	it('continues from a response without its instructions', async () => {
		const first = await client.responses.create({ model: 'offline', input: 'My name is Alice.', instructions: 'Be kind.' });
		assert.match(first.output_text, /^This is the offline model.*The system prompt has 8 characters/);
		upstream.answer = claudeText;
		const second = await client.responses.create({
			model: 'claude',
			input: [{ role: 'user', content: 'What is my name?' }],
			previous_response_id: first.id,
		});
		assert.equal(second.output_text, 'Done.');
		assert.equal(second.previous_response_id, first.id);
		const listTexts = (content: { text: string }[]) => content.map(({ text }) => text).join();
		assert.equal(readSentBody().system, undefined);
		assert.deepEqual(
			readSentBody().messages.map((message: { role: string; content: { text: string }[] }) => [message.role, listTexts(message.content)]),
			[
				['user', 'My name is Alice.'],
				['assistant', first.output_text],
				['user', 'What is my name?'],
			],
		);
		const third = await client.responses.create({ model: 'claude', input: 'And yours?', previous_response_id: second.id });
		assert.equal(readSentBody().messages.length, 5);
		assert.equal((await client.responses.retrieve(third.id)).output_text, 'Done.');
	});

	it('reads and deletes stored responses and stores none unless asked to', async () => {
		const { _request_id, ...made } = await client.responses.create({ model: 'offline', input: 'x', metadata: { topic: 'demo' } });
		assert.match(_request_id ?? '', /^req_/);
		const { _request_id: _, ...kept } = await client.responses.retrieve(made.id);
		assert.deepEqual(kept, made);
		await client.responses.delete(made.id);
		assert.equal((await catchApiError(client.responses.retrieve(made.id))).status, 404);
		assert.equal((await catchApiError(client.responses.delete(made.id))).status, 404);
		const gone = await catchApiError(client.responses.create({ model: 'offline', input: 'x', previous_response_id: made.id }));
		assert.deepEqual([gone.status, gone.code, gone.param], [400, 'previous_response_not_found', 'previous_response_id']);
		const unkept = await client.responses.create({ model: 'offline', input: 'x', store: false });
		assert.equal((await catchApiError(client.responses.retrieve(unkept.id))).status, 404);
	});

	it("streams events that the SDK's helpers turn into the same response", async () => {
		upstream.answer = createStreamResponse(formatAnthropicBytes(claudeEvents), 40);
		const stream = client.responses.stream({ model: 'claude', input: 'go', tools });
		const deltas: string[] = [];
		stream.on('response.output_text.delta', event => deltas.push(event.delta));
		stream.on('response.function_call_arguments.delta', event => deltas.push(event.delta));
		const final = await stream.finalResponse();
		assert.equal(final.status, 'completed');
		assert.equal(final.model, 'real-claude');
		assert.deepEqual(deltas, ['One moment.', '{"a":', '1}']);
		assert.deepEqual(
			final.output.map(({ type }) => type),
			['reasoning', 'reasoning', 'message', 'function_call'],
		);
		assert.deepEqual(final.usage, {
			input_tokens: 11,
			input_tokens_details: { cached_tokens: 2 },
			output_tokens: 20,
			output_tokens_details: { reasoning_tokens: 0 },
			total_tokens: 31,
		});
		const kept = await client.responses.retrieve(final.id);
		assert.equal(kept.output_text, 'One moment.');
	});

	it("returns signed thoughts to Anthropic from stored responses, by reference or from the caller's input", async () => {
		upstream.answer = createStreamResponse(formatAnthropicBytes(claudeEvents));
		const request = { model: 'claude', tools, reasoning: { effort: 'high' as const, summary: 'auto' as const } };
		const kept = await client.responses.stream({ ...request, input: 'go' }).finalResponse();
		assert.ok(kept.output.every(item => item.type !== 'reasoning' || item.encrypted_content === undefined));
		const shown = await client.responses
			.stream({ ...request, input: 'go', store: false, include: ['reasoning.encrypted_content'] })
			.finalResponse();
		const output = { type: 'function_call_output' as const, call_id: 'toolu_1', output: 'seen' };
		upstream.answer = claudeText;
		const expected = [
			{ type: 'thinking', thinking: 'I should look.', signature: 'signed-by-anthropic' },
			{ type: 'redacted_thinking', data: 'secret' },
			{ type: 'text', text: 'One moment.' },
			{ type: 'tool_use', id: 'toolu_1', name: 'look', input: { a: 1 } },
		];
		const references = kept.output.map(({ id }) => ({ type: 'item_reference' as const, id: id ?? '' }));
		const ways: Partial<ResponseCreateParamsNonStreaming>[] = [
			{ previous_response_id: kept.id, input: [output] },
			{ input: [{ role: 'user', content: 'go' }, ...references, output] },
			{ input: [{ role: 'user', content: 'go' }, ...(shown.output as ResponseInputItem[]), output], store: false },
		];
		for (const way of ways) {
			const reply = await client.responses.create({ ...request, ...way });
			assert.equal(reply.output_text, 'Done.');
			assert.deepEqual(readSentBody().messages[1].content, expected);
			assert.notEqual(readSentBody().thinking?.type, 'disabled');
		}
		const missing = await catchApiError(client.responses.create({ ...request, input: [{ type: 'item_reference', id: 'rs_gone' }] }));
		assert.deepEqual([missing.status, missing.param], [400, 'input[0]']);
		assert.match(missing.message, /Item with id 'rs_gone' not found/);
	});

	it('returns the signatures of calls to Gemini, which response items have no field for', async () => {
		const parts = [
			{ text: 'Let me see.', thought: true },
			{ functionCall: { name: 'look', args: { a: 1 } }, thoughtSignature: 'signed-by-google' },
		];
		upstream.answer = createStreamResponse(
			formatGoogleBytes([
				JSON.stringify({
					candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
					usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 3, totalTokenCount: 10 },
				}),
			]),
		);
		const request = { model: 'gemini', tools, include: ['reasoning.encrypted_content' as const], store: false };
		const made = await client.responses.stream({ ...request, input: 'go', reasoning: { summary: 'auto' } }).finalResponse();
		assert.equal(readSentBody().generationConfig.thinkingConfig.includeThoughts, true);
		assert.equal(made.usage?.output_tokens_details.reasoning_tokens, 3);
		const call = made.output.find(item => item.type === 'function_call');
		upstream.answer = createJsonResponse({
			candidates: [{ content: { role: 'model', parts: [{ text: 'Done.' }] }, finishReason: 'STOP' }],
		});
		await client.responses.create({
			...request,
			input: [
				{ role: 'user', content: 'go' },
				...(made.output as ResponseInputItem[]),
				{ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'seen' },
			],
		});
		const [, turn] = readSentBody().contents;
		const signed = turn.parts.find((part: { functionCall?: unknown }) => part.functionCall);
		assert.equal(signed.thoughtSignature, 'signed-by-google');
		assert.deepEqual(signed.functionCall.args, { a: 1 });
	});

	it('reaches services that have only chat completions, with thoughts and parallel calls', async () => {
		const createChunk = (delta: object, finish_reason: string | null = null) =>
			`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
		const createCallDelta = (index: number, fields: object) => ({ tool_calls: [{ index, ...fields }] });
		upstream.answer = createStreamResponse(
			[
				createChunk({ role: 'assistant', reasoning_content: 'Hm.' }),
				createChunk({ content: 'Both.' }),
				createChunk(createCallDelta(0, { id: 'a', type: 'function', function: { name: 'look', arguments: '' } })),
				createChunk(createCallDelta(1, { id: 'b', type: 'function', function: { name: 'look', arguments: '' } })),
				createChunk(createCallDelta(0, { function: { arguments: '{"a"' } })),
				createChunk(createCallDelta(1, { function: { arguments: '{"b"' } })),
				createChunk(createCallDelta(0, { function: { arguments: ':1}' } })),
				createChunk(createCallDelta(1, { function: { arguments: ':2}' } })),
				createChunk({}, 'tool_calls'),
				'data: [DONE]\n\n',
			].join(''),
		);
		const { body } = await postBytes(
			`${gateway.baseUrl}/v1/responses`,
			JSON.stringify({ model: 'local', input: 'go', tools, stream: true, instructions: 'Be brief.' }),
			{ authorization: `Bearer ${gateway.apiKey}` },
		);
		const made = readResponseStream(body.toString());
		assert.equal(upstream.last.url, '/v1/chat/completions');
		assert.equal(upstream.last.headers.authorization, `Bearer ${upstreamKey}`);
		assert.deepEqual(readSentBody().messages[0], { role: 'system', content: 'Be brief.' });
		assert.deepEqual(
			made.output.map(item =>
				item.type === 'function_call' ? [item.call_id, item.arguments] : item.type === 'reasoning' ? item.summary[0]?.text : item.type,
			),
			['Hm.', 'message', ['a', '{"a":1}'], ['b', '{"b":2}']],
		);
		upstream.answer = createJsonResponse({
			id: 'c',
			object: 'chat.completion',
			choices: [{ index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
		});
		await client.responses.create({
			model: 'local',
			previous_response_id: made.id,
			input: ['a', 'b'].map(id => ({ type: 'function_call_output' as const, call_id: id, output: id })),
		});
		assert.deepEqual(
			readSentBody().messages.map((message: { role: string; tool_call_id?: string }) => message.tool_call_id ?? message.role),
			['user', 'assistant', 'a', 'b'],
		);
		assert.equal(readSentBody().messages[1].reasoning_content, 'Hm.');
	});

	for (const { name, lines } of [
		...listRecordedStreams('anthropic').map(({ name, lines }) => ({ name: `claude: ${name}`, lines })),
		...listRecordedStreams('google').map(({ name, lines }) => ({ name: `gemini: ${name}`, lines })),
	]) {
		it(`emits the recorded order of events: ${name}`, async () => {
			const [model = ''] = name.split(':');
			upstream.answer = createStreamResponse(model === 'claude' ? formatAnthropicBytes(lines) : formatGoogleBytes(lines), 300);
			const { body } = await postBytes(
				`${gateway.baseUrl}/v1/responses`,
				JSON.stringify({ model, input: 'go', stream: true, store: false }),
				{
					authorization: `Bearer ${gateway.apiKey}`,
				},
			);
			const { status, usage, output } = readResponseStream(body.toString());
			assert.ok(status !== 'completed' || usage, name);
			for (const item of output) {
				assert.ok(item.type !== 'function_call' || item.status === 'incomplete' || JSON.parse(item.arguments), item.type);
			}
		});
	}

	it('forwards request and response byte for byte if the route asks for it', async () => {
		const bytes = '{ "model" : "own", "input":"x", "unknown": [1, 2],"previous_response_id":"resp_theirs" }';
		upstream.answer = createJsonResponse('{ "id":"resp_theirs",  "object":"response" }');
		const reply = await postBytes(`${gateway.baseUrl}/v1/responses?a=b`, bytes, {
			authorization: `Bearer ${gateway.apiKey}`,
			'openai-beta': 'x',
		});
		assert.equal(reply.body.toString(), '{ "id":"resp_theirs",  "object":"response" }');
		assert.equal(upstream.last.url, '/v1/responses?a=b');
		assert.equal(upstream.last.headers['openai-beta'], 'x');
		assert.equal(upstream.last.body.toString(), bytes.replace('"own"', '"theirs"'));
		upstream.answer = (_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write('event: response.created\ndata: {"type":"response.created"}\n\n', () => response.destroy());
		};
		const broken = (
			await postBytes(`${gateway.baseUrl}/v1/responses`, bytes, { authorization: `Bearer ${gateway.apiKey}` })
		).body.toString();
		assert.match(
			broken,
			/^event: response.created\n.*\n\nevent: error\ndata: \{"type":"error","code":"server_error","message":"The service at .*\n\ndata: \[DONE\]\n\n$/,
		);
	});

	it('reports errors in the form that the SDK expects, before and within the stream', async () => {
		const early = await catchApiError(client.responses.create({ model: 'offline-error-429', input: 'x', stream: true }));
		assert.deepEqual([early.status, early.type, early.code], [429, 'rate_limit_error', 'rate_limit_exceeded']);
		const stream = await client.responses.create({ model: 'offline', input: 'x [offline: error-after=1]', stream: true });
		const types: string[] = [];
		const late = await catchApiError(
			(async () => {
				for await (const event of stream) {
					types.push(event.type);
				}
			})(),
		);
		assert.match(late.message, /failed during its reply/);
		assert.equal(late.code, 'server_error');
		assert.equal(types.at(-1), 'response.output_item.done');
	});

	it('counts input tokens, including the earlier conversation', async () => {
		const first = await client.responses.create({ model: 'offline', input: 'My name is Alice.' });
		const countInputTokens = async (more: object) =>
			(await client.responses.inputTokens.count({ model: 'offline', input: 'Hi', ...more })).input_tokens;
		assert.equal(await countInputTokens({ input: 'My name is Alice.' }), first.usage?.input_tokens);
		assert.ok(
			(await countInputTokens({ previous_response_id: first.id })) > (await countInputTokens({})) + (first.usage?.input_tokens ?? 0),
		);
		upstream.answer = createJsonResponse({ input_tokens: 7 });
		assert.equal(await countInputTokens({ model: 'claude' }), 7);
		assert.equal(upstream.last.url, '/v1/messages/count_tokens');
		upstream.answer = createJsonResponse({ object: 'response.input_tokens', input_tokens: 9 });
		assert.equal(await countInputTokens({ model: 'own' }), 9);
		assert.deepEqual([upstream.last.url, readSentBody().model], ['/v1/responses/input_tokens', 'theirs']);
	});

	it('compacts if the service of the route can, and otherwise explains the requirement', async () => {
		upstream.answer = createJsonResponse({ id: 'c', object: 'response.compaction', created_at: 1, output: [] });
		assert.equal((await client.responses.compact({ model: 'own', input: 'Hi' } as never)).object, 'response.compaction');
		assert.deepEqual([upstream.last.url, readSentBody().model], ['/v1/responses/compact', 'theirs']);
		const error = await catchApiError(client.responses.compact({ model: 'claude', input: 'Hi' } as never));
		assert.deepEqual([error.status, error.param, error.code], [404, 'model', 'unsupported_value']);
		assert.match(error.message, /'claude' can't compact conversations.*"responses": true/);
	});

	it('refuses unsupported features and suggests an alternative', async () => {
		const asked: [Partial<ResponseCreateParamsNonStreaming>, string][] = [
			[{ background: true }, 'background'],
			[{ conversation: 'conv_1' }, 'conversation'],
			[{ prompt: { id: 'pmpt_1' } }, 'prompt'],
			[{ input: undefined as never }, 'input'],
			[{ input: 7 as never }, 'input'],
			[{ input: [{ role: 'user', content: [{ type: 'input_text' } as never] }] }, 'input[0].content[0].text'],
			[{ temperature: 3 }, 'temperature'],
			[{ previous_response_id: 'resp_gone' }, 'previous_response_id'],
		];
		for (const [fields, param] of asked) {
			const error = await catchApiError(client.responses.create({ model: 'offline', input: 'x', ...fields }));
			assert.deepEqual([error.status, error.param, error.type], [400, param, 'invalid_request_error'], param);
		}
		const noModel = await catchApiError(client.responses.create({ input: 'x' } as never));
		assert.deepEqual([noModel.status, noModel.param], [400, 'model']);
		const streamed = await catchApiError(client.responses.retrieve('resp_1', { stream: true }));
		assert.deepEqual([streamed.status, streamed.param], [400, 'stream']);
		const stranger = new OpenAI({ apiKey: 'wrong', baseURL: `${gateway.baseUrl}/v1`, maxRetries: 0 });
		assert.equal((await catchApiError(stranger.responses.create({ model: 'offline', input: 'x' }))).status, 401);
		assert.equal((await catchApiError(stranger.responses.retrieve('resp_1'))).status, 401);
	});

	it('lists omitted fields in a header', async () => {
		const { response } = await client.responses
			.create({ model: 'offline', input: 'x', tools: [{ type: 'web_search' }, { type: 'file_search', vector_store_ids: [] }] })
			.withResponse();
		assert.match(response.headers.get('warning') ?? '', /tools\[0\] \(web_search\): removed.*tools\[1\] \(file_search\): removed/);
	});
});
