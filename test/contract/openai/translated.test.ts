import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { createJsonResponse, createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const createTool = (name: string): OpenAI.ChatCompletionFunctionTool => ({
	type: 'function',
	function: { name, description: 'A tool', parameters: { type: 'object', properties: { place: { type: 'string' } } } },
});
type Body = Record<string, unknown>;
type Extra = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> & Body;

/** A conversation with every kind of content that can be translated. */
const conversation: OpenAI.ChatCompletionMessageParam[] = [
	{ role: 'system', content: 'Be brief.' },
	{
		role: 'user',
		content: [
			{ type: 'text', text: 'Look:' },
			{ type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}`, detail: 'high' } },
			{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
		],
	},
	{
		role: 'assistant',
		content: null,
		tool_calls: [
			{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"place":"Oslo"}' } },
			{ id: 'call_2', type: 'function', function: { name: 'get_time', arguments: '' } },
		],
	},
	{ role: 'tool', tool_call_id: 'call_2', content: 'noon' },
	{ role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: '3 degrees' }] },
	{ role: 'developer', content: 'Be kind.' },
	{ role: 'user', content: 'And now?' },
];

describe('chat completions through services of other protocols', () => {
	let upstream: RecordingUpstream;
	let gateway: TextGateway;
	let client: OpenAI;

	before(async () => {
		upstream = await new RecordingUpstream().start();
		gateway = await startTextGateway(
			[
				{
					model: 'claude',
					provider: 'anthropic',
					base_url: upstream.baseUrl,
					upstream_model: 'claude-haiku-4-5',
					max_output_tokens: 1_000,
				},
				{ model: 'gemini', provider: 'google', base_url: upstream.baseUrl, upstream_model: 'gemini-2.5-flash' },
				{ model: 'gemini-*', provider: 'google', base_url: upstream.baseUrl },
			],
			{},
			{ headers: 2_000, idle: 2_000 },
		);
		client = new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey, maxRetries: 0 });
	});
	after(async () => {
		await gateway.close();
		await upstream.close();
	});

	const readSentBody = () => JSON.parse(upstream.last.body.toString()) as Body;
	const createClaudeReply = (content: unknown[], stop = 'end_turn') =>
		createJsonResponse({
			id: 'msg_1',
			type: 'message',
			role: 'assistant',
			model: 'claude-haiku-4-5',
			content,
			stop_reason: stop,
			stop_sequence: null,
			usage: { input_tokens: 10, cache_read_input_tokens: 4, cache_creation_input_tokens: 0, output_tokens: 6 },
		});
	const createGeminiReply = (parts: unknown[], finishReason = 'STOP') =>
		createJsonResponse({
			candidates: [{ content: { role: 'model', parts }, finishReason, index: 0 }],
			usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5, thoughtsTokenCount: 3, totalTokenCount: 28 },
			modelVersion: 'gemini-2.5-flash-001',
		});
	const completeChat = async (model: string, extra: Extra = {}) => {
		const { data, response } = await client.chat.completions
			.create({ model, messages: [{ role: 'user', content: 'Hi' }], ...extra, stream: false })
			.withResponse();
		return { ...data, warning: response.headers.get('warning') ?? '' };
	};

	it('preserve integers of any size in the arguments of calls', async () => {
		const args = '{"id":12345678901234567890,"list":[-9007199254740993,1.5,1e400],"text":"12345678901234567890"}';
		const expected = '{"id":12345678901234567890,"list":[-9007199254740993,1.5,null],"text":"12345678901234567890"}';
		const call = { id: 'call_1', type: 'function' as const, function: { name: 'get_weather', arguments: args } };
		const messages = [
			{ role: 'user' as const, content: 'Hi' },
			{ role: 'assistant' as const, content: null, tool_calls: [call] },
			{ role: 'tool' as const, tool_call_id: 'call_1', content: 'cold' },
		];
		for (const [model, answer] of [
			['claude', createClaudeReply([{ type: 'text', text: 'Cold.' }])],
			['gemini', createGeminiReply([{ text: 'Cold.' }])],
		] as const) {
			upstream.answer = answer;
			await completeChat(model, { messages, tools: [createTool('get_weather')] });
			assert.ok(upstream.last.body.includes(expected), upstream.last.body.toString());
			await client.responses.create({
				model,
				store: false,
				input: [
					{ type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: args },
					{ type: 'function_call_output', call_id: 'call_1', output: 'cold' },
				],
			});
			assert.ok(upstream.last.body.includes(expected), upstream.last.body.toString());
		}
	});

	it("limit replies to one call if the caller asks for it, or warn that they can't", async () => {
		const one = { parallel_tool_calls: false, tools: [createTool('get_weather')] };
		upstream.answer = createClaudeReply([{ type: 'text', text: 'Cold.' }]);
		await completeChat('claude', one);
		assert.deepEqual(readSentBody()['tool_choice'], { type: 'auto', disable_parallel_tool_use: true });
		await completeChat('claude', { ...one, tool_choice: 'required' });
		assert.deepEqual(readSentBody()['tool_choice'], { type: 'any', disable_parallel_tool_use: true });
		upstream.answer = createGeminiReply([{ text: 'Cold.' }]);
		assert.match((await completeChat('gemini', one)).warning, /parallel_tool_calls: ignored because Gemini may call several tools at once/);
	});

	it('translate a conversation to Anthropic and its reply back', async () => {
		upstream.answer = createClaudeReply([
			{ type: 'thinking', thinking: 'Cold there.', signature: 'sig' },
			{ type: 'text', text: 'Cold.' },
		]);
		const reply = await completeChat('claude', {
			messages: conversation,
			tools: [createTool('get_weather'), createTool('get_time')],
			stop: ['END'],
		});
		assert.equal(upstream.last.url, '/v1/messages');
		const body = readSentBody();
		assert.equal(body['max_tokens'], 1_000, "the route's default");
		assert.deepEqual(body['stop_sequences'], ['END']);
		assert.deepEqual(
			(body['system'] as { text: string }[]).map(({ text }) => text),
			['Be brief.\n\nBe kind.'],
		);
		const [user, model, results] = body['messages'] as { role: string; content: Body[] }[];
		assert.deepEqual(
			user?.content.map(({ type }) => type),
			['text', 'image', 'document'],
		);
		assert.deepEqual(
			model?.content.map(({ type, id, name, input }) => [type, id, name, input]),
			[
				['tool_use', 'call_1', 'get_weather', { place: 'Oslo' }],
				['tool_use', 'call_2', 'get_time', {}],
			],
		);
		assert.deepEqual(
			results?.content.map(({ type, tool_use_id }) => [type, tool_use_id]),
			[
				['tool_result', 'call_2'],
				['tool_result', 'call_1'],
				['text', undefined],
			],
		);
		const [choice] = reply.choices;
		assert.equal(choice?.message.content, 'Cold.');
		const message = choice?.message as unknown as Body | undefined;
		assert.equal(message?.['reasoning_content'], 'Cold there.');
		assert.equal(message?.['reasoning'], 'Cold there.');
		assert.deepEqual(reply.usage, {
			prompt_tokens: 14,
			completion_tokens: 6,
			total_tokens: 20,
			prompt_tokens_details: { cached_tokens: 4 },
			completion_tokens_details: { reasoning_tokens: 0 },
		});
		assert.match(reply.warning, /messages\[1\]\.content\[1\]\.image_url\.detail: ignored/);
		assert.match(reply.warning, /messages\[5\]: moved in front/);
	});

	it('translate settings to Gemini and report lost ones for Anthropic', async () => {
		const settings: Extra = {
			temperature: 1.5,
			top_p: 0.5,
			seed: 7,
			presence_penalty: 0.5,
			frequency_penalty: -0.5,
			stop: 'END',
			max_completion_tokens: 50,
			user: 'u',
			metadata: { a: 'b' },
			store: true,
			service_tier: 'auto',
			prompt_cache_key: 'k',
			verbosity: 'low',
			parallel_tool_calls: true,
			min_p: 0.1,
		};
		upstream.answer = createGeminiReply([{ text: 'x' }]);
		const kept = await completeChat('gemini', settings);
		assert.deepEqual(readSentBody()['generationConfig'], {
			maxOutputTokens: 50,
			temperature: 1.5,
			topP: 0.5,
			seed: 7,
			stopSequences: ['END'],
		});
		const of25 = [/^299 agent-workbench "min_p: ignored/, /"frequency_penalty: ignored"/, /"presence_penalty: ignored"/];
		for (const words of of25) {
			assert.match(kept.warning, words, 'Gemini 2.5 has no penalties');
		}
		assert.equal(kept.warning.split('", ').length, of25.length);
		await completeChat('gemini-2.0-flash', { presence_penalty: 0.5, frequency_penalty: -0.5 });
		assert.deepEqual(readSentBody()['generationConfig'], { presencePenalty: 0.5, frequencyPenalty: -0.5 });
		upstream.answer = createClaudeReply([{ type: 'text', text: 'x' }]);
		const lost = await completeChat('claude', { ...settings, top_p: null });
		assert.equal(readSentBody()['temperature'], 1);
		for (const name of [/"temperature: /, /"seed: /, /"presence_penalty: /, /"frequency_penalty: /, /"min_p: /]) {
			assert.match(lost.warning, name);
		}
	});

	it("ask for structured output and reasoning in the service's own form", async () => {
		const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
		upstream.answer = createGeminiReply([{ text: '{"a":"b"}' }]);
		await completeChat('gemini', {
			response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
			reasoning_effort: 'low',
		});
		const config = readSentBody()['generationConfig'] as Body;
		assert.equal(config['responseMimeType'], 'application/json');
		assert.ok(config['responseSchema'] ?? config['responseJsonSchema']);
		assert.equal((config['thinkingConfig'] as Body)['includeThoughts'], true);
		upstream.answer = createClaudeReply([{ type: 'text', text: 'x' }]);
		await completeChat('claude', { reasoning_effort: 'high', max_completion_tokens: 900 });
		assert.notEqual((readSentBody()['thinking'] as Body | undefined)?.['type'], undefined);
		const forced = await completeChat('claude', { reasoning_effort: 'high', tools: [createTool('a')], tool_choice: 'required' });
		assert.deepEqual(readSentBody()['tool_choice'], { type: 'any' });
		assert.notEqual((readSentBody()['thinking'] as Body | undefined)?.['type'], 'enabled');
		assert.match(forced.warning, /thinking: off for this turn because Anthropic doesn't support it with/);
	});

	it('translate the choice of tools', async () => {
		upstream.answer = createGeminiReply([{ text: 'x' }]);
		const tools = [createTool('a'), createTool('b'), createTool('c')];
		const requestToolChoice = async (choice: unknown) => {
			await completeChat('gemini', { tools, tool_choice: choice } as Extra);
			const { functionCallingConfig } = (readSentBody()['toolConfig'] ?? {}) as { functionCallingConfig?: Body };
			const declared = (readSentBody()['tools'] as { functionDeclarations: { name: string }[] }[] | undefined)?.[0]?.functionDeclarations;
			return [functionCallingConfig?.['mode'], functionCallingConfig?.['allowedFunctionNames'], declared?.map(({ name }) => name).join('')];
		};
		assert.deepEqual(await requestToolChoice('required'), ['ANY', undefined, 'abc']);
		assert.deepEqual(await requestToolChoice({ type: 'function', function: { name: 'b' } }), ['ANY', ['b'], 'abc']);
		const allowed = { mode: 'required', tools: [createTool('a'), { type: 'function', name: 'c' }] };
		assert.deepEqual(await requestToolChoice({ type: 'allowed_tools', allowed_tools: allowed }), ['ANY', undefined, 'ac']);
		assert.equal((await requestToolChoice('none'))[0], 'NONE');
	});

	it('refuse features that no other service has and name the field', async () => {
		const createUserMessage = (content: unknown) => ({ messages: [{ role: 'user', content }] }) as Extra;
		const refused: [string, Extra][] = [
			['n', { n: 2 }],
			['logprobs', { logprobs: true }],
			['logit_bias', { logit_bias: { 1: 1 } }],
			['audio', { audio: { voice: 'alloy', format: 'wav' } }],
			['web_search_options', { web_search_options: {} }],
			['functions', { functions: [{ name: 'a' }] }],
			['modalities', { modalities: ['text', 'audio'] }],
			['tools[0].type', { tools: [{ type: 'custom', custom: { name: 'a' } }] }],
			['tool_choice', { tools: [createTool('a')], tool_choice: { type: 'function', function: { name: 'b' } } }],
			['tool_choice', { tool_choice: 'required' }],
			['stop', { stop: ['a', 'b', 'c', 'd', 'e'] }],
			['reasoning_effort', { reasoning_effort: 'much' } as unknown as Extra],
			['messages', { messages: [] }],
			['messages', { messages: [{ role: 'system', content: '' }] }],
			['messages[0].role', { messages: [{ role: 'function', name: 'a', content: 'x' }] }],
			['messages[0].content[0]', createUserMessage([{ type: 'input_audio', input_audio: { data: '', format: 'wav' } }])],
			['messages[0].content[0].file.file_id', createUserMessage([{ type: 'file', file: { file_id: 'file-1' } }])],
			['messages[0].content[0].image_url.url', createUserMessage([{ type: 'image_url', image_url: { url: 'no address' } }])],
			['response_format.json_schema.schema', { response_format: { type: 'json_schema', json_schema: { name: 'x' } } }],
		];
		const before = upstream.requests.length;
		for (const [param, extra] of refused) {
			await assert.rejects(completeChat('claude', extra), { status: 400, param, type: 'invalid_request_error' }, param);
		}
		assert.equal(upstream.requests.length, before);
		await completeChat('gemini', { n: 1, logprobs: false, logit_bias: {}, functions: [] });
	});

	it('send a conversation of only system or developer messages as a user message and report it', async () => {
		const messages: OpenAI.ChatCompletionMessageParam[] = [
			{ role: 'system', content: 'Say hi.' },
			{ role: 'developer', content: 'Be brief.' },
		];
		upstream.answer = createClaudeReply([{ type: 'text', text: 'Hi.' }]);
		const { choices, warning } = await completeChat('claude', { messages });
		assert.equal(choices[0]?.message.content, 'Hi.');
		assert.match(warning, /messages: system messages are sent as a user message/);
		const { system, messages: turns } = readSentBody() as { system?: unknown; messages: { role: string; content: { text: string }[] }[] };
		assert.equal(system, undefined);
		assert.deepEqual(
			turns.map(({ role, content }) => [role, content.map(({ text }) => text)]),
			[['user', ['Say hi.\n\nBe brief.']]],
		);
	});

	it('accept the signature of a Gemini call back', async () => {
		upstream.answer = createGeminiReply([{ functionCall: { name: 'get_weather', args: { place: 'Oslo' } }, thoughtSignature: 'c2ln' }]);
		const reply = await completeChat('gemini', { tools: [createTool('get_weather')] });
		const [choice] = reply.choices;
		assert.equal(choice?.finish_reason, 'tool_calls');
		const [call] = choice?.message.tool_calls ?? [];
		assert.deepEqual((call as unknown as Body)['extra_content'], { google: { thought_signature: 'c2ln' } });
		upstream.answer = createGeminiReply([{ text: 'x' }]);
		await completeChat('gemini', {
			messages: [
				{ role: 'user', content: 'Hi' },
				choice?.message as OpenAI.ChatCompletionMessageParam,
				{ role: 'tool', tool_call_id: call?.id ?? '', content: '3' },
			],
		});
		const contents = readSentBody()['contents'] as { parts: Body[] }[];
		assert.equal(contents[1]?.parts[0]?.['thoughtSignature'], 'c2ln');
	});

	it("stream Anthropic's calls by index, with arguments as they arrive", async () => {
		const events: Body[] = [
			{
				type: 'message_start',
				message: {
					id: 'msg_1',
					type: 'message',
					role: 'assistant',
					model: 'claude-haiku-4-5',
					content: [],
					stop_reason: null,
					stop_sequence: null,
					usage: { input_tokens: 3, output_tokens: 1 },
				},
			},
			{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Asking.' } },
			{ type: 'content_block_stop', index: 0 },
			...['a', 'b'].flatMap((name, i) => [
				{ type: 'content_block_start', index: i + 1, content_block: { type: 'tool_use', id: `toolu_${name}`, name, input: {} } },
				...(name === 'a' ? ['{"pla', 'ce":1}'] : []).map(partial_json => ({
					type: 'content_block_delta',
					index: i + 1,
					delta: { type: 'input_json_delta', partial_json },
				})),
				{ type: 'content_block_stop', index: i + 1 },
			]),
			{ type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 9 } },
			{ type: 'message_stop' },
		];
		upstream.answer = createStreamResponse(
			events.map(event => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
		);
		const stream = client.chat.completions.stream({
			model: 'claude',
			messages: [{ role: 'user', content: 'Hi' }],
			tools: [createTool('a'), createTool('b')],
			stream_options: { include_usage: true },
		});
		const final = await stream.finalChatCompletion();
		const [choice] = final.choices;
		assert.equal(choice?.message.content, 'Asking.');
		assert.equal(choice?.finish_reason, 'tool_calls');
		assert.deepEqual(
			choice?.message.tool_calls?.map(call => call.type === 'function' && [call.id, call.function.name, call.function.arguments]),
			[
				['toolu_a', 'a', '{"place":1}'],
				['toolu_b', 'b', '{}'],
			],
		);
		assert.equal(final.usage?.total_tokens, 12);
	});

	it('report content_filter for blocked replies, with content', async () => {
		upstream.answer = createClaudeReply([], 'refusal');
		const refused = await completeChat('claude');
		assert.equal(refused.choices[0]?.finish_reason, 'content_filter');
		assert.equal(refused.choices[0]?.message.content, '');
		upstream.answer = createJsonResponse({
			promptFeedback: { blockReason: 'SAFETY' },
			usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 },
		});
		const blocked = await completeChat('gemini');
		assert.equal(blocked.choices[0]?.finish_reason, 'content_filter');
		assert.equal(blocked.choices[0]?.message.content, '');
	});

	it('return the status of a refusal and name a too long prompt', async () => {
		const createErrorResponse = (type: string, message: string) => ({ type: 'error', error: { type, message } });
		upstream.answer = createJsonResponse(
			createErrorResponse('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
			400,
		);
		await assert.rejects(completeChat('claude'), { status: 400, code: 'context_length_exceeded', type: 'invalid_request_error' });
		upstream.answer = createJsonResponse(createErrorResponse('not_found_error', 'model: x'), 404);
		await assert.rejects(completeChat('claude'), { status: 404, code: 'model_not_found' });
		upstream.answer = createJsonResponse(createErrorResponse('overloaded_error', 'Overloaded'), 529);
		await assert.rejects(completeChat('claude'), { status: 529, type: 'server_error' });
		upstream.answer = createJsonResponse(
			{
				error: {
					code: 400,
					message: 'The input token count (2000000) exceeds the maximum number of tokens allowed (1048575).',
					status: 'INVALID_ARGUMENT',
				},
			},
			400,
		);
		await assert.rejects(completeChat('gemini'), { status: 400, code: 'context_length_exceeded' });
	});

	it('keep calls with invalid JSON in the conversation and report them', async () => {
		upstream.answer = createClaudeReply([{ type: 'text', text: 'x' }]);
		const { warning } = await completeChat('claude', {
			messages: [
				{ role: 'user', content: 'Hi' },
				{ role: 'assistant', content: '', tool_calls: [{ id: 'c', type: 'function', function: { name: 'a', arguments: '{"x' } }] },
				{ role: 'tool', tool_call_id: 'c', content: 'bad arguments' },
			],
		});
		assert.match(warning, /messages\[1\]\.tool_calls\[0\]\.function\.arguments: not a JSON object/);
		const messages = readSentBody()['messages'] as { content: Body[] }[];
		assert.deepEqual(messages[1]?.content[0]?.['input'], { arguments: '{"x' });
	});

	it("embed texts only with Google's models", async () => {
		upstream.answer = ({ url, body }, response) => {
			const requests = (JSON.parse(body.toString()) as { requests?: unknown[] }).requests;
			const vector = { values: [0.5, -0.25] };
			const answer = url.endsWith(':batchEmbedContents') ? { embeddings: requests?.map(() => vector) } : { embedding: vector };
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(answer));
		};
		const before = upstream.requests.length;
		const many = await client.embeddings.create({
			model: 'gemini',
			input: Array.from({ length: 130 }, (_, i) => `text ${i}`),
			dimensions: 2,
		});
		assert.equal(upstream.requests.length - before, 2, 'at most 100 a request');
		assert.equal(many.data.length, 130);
		assert.deepEqual(many.data[129], { object: 'embedding', index: 129, embedding: [0.5, -0.25] });
		assert.equal(many.model, 'gemini-2.5-flash');
		await assert.rejects(client.embeddings.create({ model: 'claude', input: 'x' }), { status: 400, message: /doesn't support embeddings/ });
	});
});
