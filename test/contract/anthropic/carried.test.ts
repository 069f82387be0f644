import assert from 'node:assert/strict';
import { postBytes } from '../post.ts';
import { type Answer, createJsonResponse, createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } };
const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' } };
const usage = { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 };

function createChatCompletion(message: object, finish = 'stop') {
	return { id: 'c1', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: finish }], usage };
}

const openAi = createJsonResponse(createChatCompletion({ role: 'assistant', content: 'Seen.' }));
const gemini = createJsonResponse({
	candidates: [{ content: { role: 'model', parts: [{ text: 'Seen.' }] }, finishReason: 'STOP', index: 0 }],
});
const claude = createJsonResponse({
	id: 'msg_1',
	type: 'message',
	role: 'assistant',
	model: 'c',
	content: [{ type: 'text', text: 'Seen.' }],
	stop_reason: 'end_turn',
	usage: { input_tokens: 1, output_tokens: 1 },
});

interface Sent {
	messages: { role: string; content: unknown; reasoning_content?: string }[];
	contents: { role: string; parts: Record<string, unknown>[] }[];
	[field: string]: unknown;
}

/**
 * Covers the fields of Messages requests beyond text and functions: they are translated, refused with a message, or reported in the
 * `warning` header.
 */
describe('translated routes of /v1/messages', () => {
	let upstream: RecordingUpstream;
	let gateway: TextGateway;

	before(async () => {
		upstream = await new RecordingUpstream().start();
		const base_url = upstream.baseUrl;
		gateway = await startTextGateway([
			{ model: 'local', provider: 'openai-compatible', base_url: `${base_url}/v1` },
			{ model: 'capped', provider: 'openai-compatible', base_url: `${base_url}/v1`, max_output_tokens: 100 },
			{ model: 'gemini', provider: 'google', base_url, upstream_model: 'gemini-2.5-flash' },
			{ model: 'claude', provider: 'anthropic', base_url },
		]);
	});
	after(async () => {
		await gateway.close();
		await upstream.close();
	});

	const readSentBody = () => JSON.parse(upstream.last.body.toString()) as Sent;
	const requestModel = async (
		model: string,
		body: object,
		answer: Answer = model === 'gemini' ? gemini : openAi,
		path = '/v1/messages',
	) => {
		upstream.answer = answer;
		const reply = await postBytes(`${gateway.baseUrl}${path}`, JSON.stringify({ model, max_tokens: 64, ...body }), {
			'x-api-key': gateway.apiKey,
			'anthropic-version': '2023-06-01',
		});
		return { status: reply.status, text: reply.body.toString(), warning: reply.headers['warning'] };
	};
	const hello = [{ role: 'user', content: 'Hello' }];
	const createTool = (name: string, extra: object = {}) => ({ name, input_schema: { type: 'object', properties: {} }, ...extra });
	const createToolResultTurns = (content: unknown, extra: object = {}) => [
		...hello,
		{ role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }] },
		{
			role: 'user',
			content: [
				{ type: 'tool_result', tool_use_id: 't1', content, ...extra },
				{ type: 'text', text: 'Well?' },
			],
		},
	];

	it('move files of tool results into the user message after them', async () => {
		await requestModel('local', {
			tools: [createTool('Read')],
			messages: createToolResultTurns([{ type: 'text', text: 'Two files' }, image, pdf], { is_error: true }),
		});
		const { messages } = readSentBody();
		assert.deepEqual(
			messages.map(({ role }) => role),
			['user', 'assistant', 'tool', 'user'],
		);
		assert.equal(messages[2]?.content, 'Two files\n(Its 2 files follow in the next message.)');
		const parts = messages[3]?.content as { type: string; image_url?: { url: string } }[];
		assert.deepEqual(
			parts.map(({ type }) => type),
			['text', 'image_url', 'file', 'text'],
		);
		assert.equal(parts[1]?.image_url?.url, `data:image/png;base64,${pixel}`);
		await requestModel('gemini', { tools: [createTool('Read')], messages: createToolResultTurns([image], { is_error: true }) });
		const { contents } = readSentBody();
		assert.match(JSON.stringify(contents[2]?.parts), /"functionResponse".*"error":"\(Its file follows/);
		assert.equal(contents[2]?.parts.length, 1);
		assert.deepEqual(contents[3]?.parts[1], { inlineData: { mimeType: 'image/png', data: pixel } });
	});

	it('fetch images of tool results that are given by URL', async () => {
		const picture = await new RecordingUpstream().start();
		picture.answer = (_request, response) => {
			response.writeHead(200, { 'content-type': 'image/png' });
			response.end(Buffer.from(pixel, 'base64'));
		};
		try {
			const url = { type: 'image', source: { type: 'url', url: `${picture.baseUrl}/a.png` } };
			await requestModel('local', { tools: [createTool('Read')], messages: createToolResultTurns([url]) });
			assert.match(upstream.last.body.toString(), new RegExp(`data:image/png;base64,${pixel.slice(0, 20)}`));
		} finally {
			await picture.close();
		}
	});

	it('send text documents as text with their title and context', async () => {
		const document = {
			type: 'document',
			title: 'Rules',
			context: 'Of 2026',
			source: { type: 'text', media_type: 'text/plain', data: 'No.' },
		};
		await requestModel('local', { messages: [{ role: 'user', content: [document] }] });
		assert.deepEqual(readSentBody().messages[0]?.content, [
			{ type: 'text', text: 'Document: Rules\nContext: Of 2026' },
			{ type: 'text', text: 'No.' },
		]);
		const { warning } = await requestModel('local', {
			messages: [{ role: 'user', content: [{ ...document, citations: { enabled: true } }] }],
		});
		assert.match(String(warning), /messages\.0\.content\.0\.citations: ignored/);
	});

	it('report ignored tool settings, in token counts too', async () => {
		const tools = [createTool('Read', { input_examples: [{ path: 'a' }], cache_control: { type: 'ephemeral' } })];
		const { warning } = await requestModel('local', { tools, messages: hello });
		assert.equal(warning, '299 agent-workbench "tools.0.input_examples: ignored because the model\'s service has no such field"');
		for (const model of ['local', 'gemini']) {
			const counted = await requestModel(
				model,
				{ tools, messages: hello },
				createJsonResponse({ totalTokens: 7 }),
				'/v1/messages/count_tokens',
			);
			assert.match(String(counted.warning), /tools\.0\.input_examples/, `${model} ${counted.text}`);
		}
	});

	it('offer deferred tools once a search has found them', async () => {
		const tools = [createTool('ToolSearch'), createTool('a', { defer_loading: true }), createTool('b', { defer_loading: true })];
		const listSentToolNames = () => (readSentBody()['tools'] as { function: { name: string } }[]).map(({ function: { name } }) => name);
		await requestModel('local', { tools, messages: hello });
		assert.deepEqual(listSentToolNames(), ['ToolSearch']);
		const { status } = await requestModel('local', {
			tools: [...tools, createTool('Read')],
			messages: createToolResultTurns([{ type: 'tool_reference', tool_name: 'b' }]),
		});
		assert.equal(status, 200);
		assert.deepEqual(listSentToolNames(), ['ToolSearch', 'b', 'Read']);
		assert.equal(readSentBody().messages[2]?.content, 'The tool b can be called now.');
		const added = { type: 'tool_addition', tool: { type: 'tool_definition', definition: createTool('c') } };
		const removed = { type: 'tool_removal', tool: { type: 'tool_reference', name: 'ToolSearch' } };
		await requestModel('local', { tools, messages: [...hello, { role: 'system', content: [added, removed] }] });
		assert.deepEqual(listSentToolNames(), ['c']);
		const { warning } = await requestModel('local', {
			tools: [{ type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' }, ...tools],
			messages: hello,
		});
		assert.deepEqual(listSentToolNames(), ['ToolSearch', 'a', 'b']);
		assert.match(String(warning), /tools\.0: .* all tools instead of Anthropic's tool search/);
	});

	it('shorten tool names of up to 128 characters and restore them in the reply', async () => {
		const long = `mcp__${'x'.repeat(118)}__one`;
		const other = `mcp__${'x'.repeat(118)}__two`;
		const history = [
			...hello,
			{ role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: long, input: {} }] },
			{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] },
		];
		for (const stream of [false, true]) {
			const createToolCall = (name: string) => ({ index: 0, id: 'call_1', type: 'function', function: { name, arguments: '{}' } });
			const answerToolCall: Answer = (request, response) => {
				const body = JSON.parse(request.body.toString()) as { tools: { function: { name: string } }[] };
				const name = body.tools[1]?.function.name ?? '';
				const delta = { role: 'assistant', content: null, tool_calls: [createToolCall(name)] };
				const events = [
					{ ...createChatCompletion({}), choices: [{ index: 0, delta, finish_reason: null }] },
					{ ...createChatCompletion({}), choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
				];
				const whole = createJsonResponse(createChatCompletion(delta, 'tool_calls'));
				return (stream ? createStreamResponse(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')) : whole)(
					request,
					response,
				);
			};
			const { status, text } = await requestModel(
				'local',
				{ stream, tools: [createTool(long), createTool(other)], tool_choice: { type: 'tool', name: long }, messages: history },
				answerToolCall,
			);
			assert.equal(status, 200, text);
			assert.ok(text.includes(`"name":"${other}"`), text);
			const body = readSentBody() as unknown as { tools: { function: { name: string } }[]; tool_choice: { function: { name: string } } };
			const names = body.tools.map(({ function: { name } }) => name);
			assert.equal(new Set(names).size, 2);
			assert.ok(names.every(name => name.length <= 64));
			assert.equal(body.tool_choice.function.name, names[0]);
			assert.ok(JSON.stringify(body).includes(`"function":{"name":"${names[0]}","arguments":"{}"`));
		}
	});

	it('translate effort and thinking for services of both kinds', async () => {
		const cases: [object, unknown, unknown][] = [
			[{ output_config: { effort: 'high' } }, 'high', { thinkingBudget: 24_576 }],
			[{ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }, 'low', undefined],
			[{ thinking: { type: 'disabled' } }, 'none', { thinkingBudget: 0 }],
			[{ thinking: { type: 'enabled', budget_tokens: 2048 } }, 'low', { includeThoughts: true, thinkingBudget: 2048 }],
		];
		for (const [extra, effort, config] of cases) {
			await requestModel('local', { ...extra, messages: hello });
			assert.equal(readSentBody()['reasoning_effort'], effort, JSON.stringify(extra));
			await requestModel('gemini', { ...extra, messages: hello });
			const { thinkingConfig } = readSentBody()['generationConfig'] as { thinkingConfig?: object };
			assert.ok(thinkingConfig, JSON.stringify(extra));
			if (config && 'includeThoughts' in (config as object)) {
				assert.deepEqual(thinkingConfig, config);
			}
			if (effort === 'none') {
				assert.deepEqual(thinkingConfig, config);
			}
		}
	});

	it('retry without a field that the service refuses', async () => {
		const refuseField: Answer = (request, response) => {
			const body = JSON.parse(request.body.toString()) as object;
			const message =
				'reasoning_effort' in body
					? 'Unrecognized request argument supplied: reasoning_effort'
					: 'user' in body
						? 'Extra fields: "user"'
						: '';
			const tokens = 'max_tokens' in body ? "Use 'max_completion_tokens' instead." : '';
			const words = message || tokens;
			return (words ? createJsonResponse({ error: { message: words, type: 'invalid_request_error' } }, 400) : openAi)(request, response);
		};
		const { status, warning } = await requestModel(
			'local',
			{ output_config: { effort: 'low' }, metadata: { user_id: 'u' }, messages: hello },
			refuseField,
		);
		assert.equal(status, 200);
		assert.deepEqual(Object.keys(readSentBody()).sort(), ['max_completion_tokens', 'messages', 'model']);
		assert.match(String(warning), /reasoning_effort: removed.*user: removed/);
		const refused = await requestModel(
			'local',
			{ messages: hello },
			createJsonResponse({ error: { message: 'The user is blocked' } }, 400),
		);
		assert.equal(refused.status, 400);
		assert.match(refused.text, /The user is blocked/);
	});

	it('cap tokens by the route and report it', async () => {
		const { warning } = await requestModel('capped', { max_tokens: 32_000, messages: hello });
		assert.equal(readSentBody()['max_tokens'], 100);
		assert.equal(warning, '299 agent-workbench "max_tokens: lowered from 32000 to 100, the limit of the route"');
		const within = await requestModel('capped', { max_tokens: 50, messages: hello });
		assert.equal(readSentBody()['max_tokens'], 50);
		assert.equal(within.warning, undefined);
	});

	it('translate single tool calls and users, and report lost fields', async () => {
		const extra = {
			tools: [createTool('a')],
			tool_choice: { type: 'auto', disable_parallel_tool_use: true },
			metadata: { user_id: 'u1', team: 'x' },
		};
		const local = await requestModel('local', { ...extra, messages: hello, context_management: { edits: [] }, service_tier: 'auto' });
		assert.equal(readSentBody()['parallel_tool_calls'], false);
		assert.equal(readSentBody()['user'], 'u1');
		assert.match(String(local.warning), /"context_management: ignored.*"metadata\.team: ignored/);
		assert.doesNotMatch(String(local.warning), /service_tier|user_id/);
		const google = await requestModel('gemini', { ...extra, messages: hello });
		assert.match(String(google.warning), /disable_parallel_tool_use: ignored.*metadata\.user_id: ignored/);
		const streamed = await requestModel(
			'local',
			{ ...extra, stream: true, messages: hello },
			createStreamResponse(
				`data: ${JSON.stringify({ ...createChatCompletion({}), choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
			),
		);
		assert.match(String(streamed.warning), /metadata\.team/);
	});

	it('ignore cache_control and other harmless fields without a warning', async () => {
		const content = [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }];
		const { warning } = await requestModel('local', {
			cache_control: { type: 'ephemeral' },
			system: content,
			messages: [{ role: 'user', content }],
		});
		assert.equal(warning, undefined);
	});

	it("map a web search to Google's and return its pages; refuse it for other services", async () => {
		const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }];
		const chunks = [{ web: { uri: 'https://example.test/a', title: 'A page' } }];
		const answer = createJsonResponse({
			candidates: [
				{
					content: { role: 'model', parts: [{ text: 'Found.' }] },
					finishReason: 'STOP',
					index: 0,
					groundingMetadata: { groundingChunks: chunks },
				},
			],
		});
		const { text, warning } = await requestModel('gemini', { tools, messages: hello }, answer);
		assert.deepEqual(readSentBody()['tools'], [{ googleSearch: {} }]);
		assert.match(String(warning), /tools\.0\.max_uses: ignored/);
		const { content } = JSON.parse(text) as { content: { type: string; content?: unknown }[] };
		assert.deepEqual(
			content.map(({ type }) => type),
			['text', 'server_tool_use', 'web_search_tool_result'],
		);
		assert.match(JSON.stringify(content[2]), /"url":"https:\/\/example\.test\/a","title":"A page"/);
		const again = await requestModel('local', { messages: [...hello, { role: 'assistant', content }, { role: 'user', content: 'More' }] });
		assert.equal(again.status, 200, again.text);
		assert.match(upstream.last.body.toString(), /example\.test\/a/);
		const refused = await requestModel('local', { tools, messages: hello });
		assert.equal(refused.status, 400);
		assert.match(refused.text, /web_search_20250305.*service has no web search.*Remove the tool/);
		const both = await requestModel('gemini', { tools: [...tools, createTool('a')], messages: hello });
		assert.match(both.text, /can't search the web and call functions in one request/);
	});

	it('accept a stream without its last empty line as complete', async () => {
		const createChunk = (delta: object, finish_reason: string | null) =>
			`data: ${JSON.stringify({ ...createChatCompletion({}), choices: [{ index: 0, delta, finish_reason }] })}`;
		const { status, text } = await requestModel(
			'local',
			{ stream: true, messages: hello },
			createStreamResponse(`${createChunk({ content: 'All of it' }, null)}\n\n${createChunk({}, 'stop')}`),
		);
		assert.equal(status, 200);
		assert.match(text, /All of it/);
		assert.match(text, /event: message_stop/);
		const cut = await requestModel(
			'local',
			{ stream: true, messages: hello },
			createStreamResponse(`${createChunk({ content: 'Half' }, null)}\n\ndata: {"choices":[{"de`),
		);
		assert.match(cut.text, /event: error/);
	});

	it('estimate the input tokens in message_start', async () => {
		const { text } = await requestModel(
			'local',
			{ stream: true, messages: hello },
			createStreamResponse(
				`data: ${JSON.stringify({ ...createChatCompletion({}), choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }] })}\n\n`,
			),
		);
		const start = JSON.parse(/event: message_start\ndata: (.*)/.exec(text)?.[1] ?? '') as { message: { usage: { input_tokens: number } } };
		assert.ok(start.message.usage.input_tokens > 0);
	});

	it("drop thoughts of other services and keep Anthropic's own", async () => {
		const thinking = { role: 'assistant', reasoning_content: 'Hm.', content: 'Hi' };
		const { text } = await requestModel('local', { messages: hello }, createJsonResponse(createChatCompletion(thinking)));
		const { content } = JSON.parse(text) as { content: object[] };
		assert.deepEqual(content[0], { type: 'thinking', thinking: 'Hm.', signature: 'agent-workbench.none' });
		const own = { type: 'thinking', thinking: 'Own', signature: 'c2ln' };
		const turns = [
			...hello,
			{ role: 'assistant', content: [...content, own] },
			{ role: 'user', content: 'And?' },
			{ role: 'assistant', content: [content[0]] },
			{ role: 'user', content: 'So?' },
		];
		await requestModel('claude', { messages: turns }, claude);
		const { messages } = readSentBody();
		assert.deepEqual(messages[1]?.content, [{ type: 'text', text: 'Hi' }, own]);
		assert.deepEqual(messages[3]?.content, [{ type: 'text', text: '(no answer)' }]);
	});

	it('drop the built-in stop sequence of /v1/complete for Gemini if there are five others; refuse six of /v1/messages', async () => {
		const stop_sequences = ['a', 'b', 'c', 'd', 'e'];
		const prompt = '\n\nHuman: Hi\n\nAssistant:';
		const { status, warning } = await requestModel(
			'gemini',
			{ prompt, max_tokens_to_sample: 9, stop_sequences, metadata: { team: 'x' } },
			gemini,
			'/v1/complete',
		);
		assert.equal(status, 200);
		assert.deepEqual((readSentBody()['generationConfig'] as { stopSequences: string[] }).stopSequences, stop_sequences);
		assert.match(String(warning), /metadata\.team.*stop_sequences: removed the built-in/);
		const refused = await requestModel('gemini', { messages: hello, stop_sequences: [...stop_sequences, 'f'] });
		assert.equal(refused.status, 400);
		assert.match(refused.text, /accepts at most 5, got 6/);
	});

	it("name the supported endpoints to clients of OpenAI's API", async () => {
		for (const path of ['/chat/completions', '/v1/assistants', '/v1/audio/speech']) {
			const { status, text } = await requestModel('local', { messages: hello }, openAi, path);
			assert.equal(status, 404);
			assert.match(text, /Available paths for OpenAI's protocol: \/v1\/chat\/completions/);
		}
		const dify = await requestModel('local', {}, openAi, '/dify/agent/v1/nothing?x=1');
		assert.match(dify.text, /Unknown path '\/dify\/agent\/v1\/nothing'\./);
	});
});
