import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const weather: OpenAI.ChatCompletionFunctionTool = {
	type: 'function',
	function: {
		name: 'get_weather',
		description: 'Weather of a place',
		parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
	},
};

/** Runs the official SDK, changing only base URL and key, against the offline model. */
describe('openai against the gateway', () => {
	let gateway: TextGateway;
	let client: OpenAI;

	before(async () => {
		gateway = await startTextGateway([
			{ model: 'named', provider: 'offline', context_tokens: 9_000 },
			{ model: 'org/other', provider: 'offline' },
		]);
		client = new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey, maxRetries: 0 });
	});
	after(() => gateway.close());

	const completeChat = (content: string, extra: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {}) =>
		client.chat.completions.create({ model: 'named', messages: [{ role: 'user', content }], ...extra });

	it('completes a chat', async () => {
		const { data, response, request_id } = await completeChat('Hello', {
			messages: [
				{ role: 'system', content: 'Be brief.' },
				{ role: 'developer', content: 'Be kind.' },
				{ role: 'user', content: [{ type: 'text', text: 'Hello' }] },
			],
			store: true,
			metadata: { a: 'b' },
			service_tier: 'auto',
		}).withResponse();
		const [choice] = data.choices;
		assert.match(data.id, /^chatcmpl-/);
		assert.equal(data.object, 'chat.completion');
		assert.ok(Number.isInteger(data.created) && data.created > 1_700_000_000);
		assert.equal(data.model, 'offline');
		assert.equal(choice?.index, 0);
		assert.equal(choice?.finish_reason, 'stop');
		assert.equal(choice?.logprobs, null);
		assert.equal(choice?.message.role, 'assistant');
		assert.equal(choice?.message.refusal, null);
		assert.match(choice?.message.content ?? '', /You wrote: "Hello"\. The system prompt has 19 characters\.$/);
		const { prompt_tokens: prompt = 0, completion_tokens: completion = 0, total_tokens: total } = data.usage ?? {};
		assert.ok(prompt > 0 && completion > 10);
		assert.equal(total, prompt + completion);
		assert.equal(request_id, response.headers.get('request-id'));
		assert.match(response.headers.get('warning') ?? '', /^299 agent-workbench "The offline model replied instead of 'named'\. [^"]*"$/);
	});

	it('honors the token limits, preferring the newer one, and stop', async () => {
		const short = await completeChat('Hello', { max_completion_tokens: 3, max_tokens: 8 });
		assert.equal(short.choices[0]?.finish_reason, 'length');
		assert.equal(short.choices[0]?.message.content, 'This is the');
		const stopped = await completeChat('alpha beta gamma', { stop: ' beta' });
		assert.equal(stopped.choices[0]?.finish_reason, 'stop');
		assert.ok(stopped.choices[0]?.message.content?.endsWith('You wrote: "alpha'));
	});

	it('calls a tool, accepts its result and answers', async () => {
		const runner = client.chat.completions.runTools({
			model: 'named',
			messages: [{ role: 'user', content: 'Weather in Oslo? [offline: tool=get_weather]' }],
			tools: [
				{
					type: 'function',
					function: {
						name: 'get_weather',
						description: 'Weather of a place',
						parameters: weather.function.parameters as object,
						parse: JSON.parse,
						function: ({ place }: { place: string }) => `3 degrees in ${place}`,
					},
				},
			],
		});
		const answer = await runner.finalContent();
		assert.match(answer ?? '', /offline model/);
		const messages = runner.messages;
		assert.deepEqual(
			messages.map(({ role }) => role),
			['user', 'assistant', 'tool', 'assistant'],
		);
	});

	it('reports tool_calls for every call, with content null', async () => {
		const { choices } = await completeChat('Weather? [offline: tool=get_weather]', { tools: [weather], tool_choice: 'required' });
		const [choice] = choices;
		assert.equal(choice?.finish_reason, 'tool_calls');
		assert.equal(choice?.message.content, null);
		const [call] = choice?.message.tool_calls ?? [];
		assert.ok(call?.type === 'function' && call.id !== '');
		assert.equal(call.function.name, 'get_weather');
		assert.deepEqual(Object.keys(JSON.parse(call.function.arguments) as object), ['place']);
	});

	it('streams the same text as create, with usage if asked for', async () => {
		const whole = await completeChat('Stream this');
		const stream = client.chat.completions.stream({
			model: 'named',
			messages: [{ role: 'user', content: 'Stream this' }],
			stream_options: { include_usage: true },
		});
		const pieces: string[] = [];
		stream.on('content', piece => pieces.push(piece));
		const final = await stream.finalChatCompletion();
		assert.ok(pieces.length > 5);
		assert.equal(final.choices[0]?.message.content, whole.choices[0]?.message.content);
		assert.deepEqual(final.usage, whole.usage);
	});

	it('sends chunks with one ID, model and time, the role first and the finish reason last', async () => {
		const chunks: OpenAI.ChatCompletionChunk[] = [];
		for await (const chunk of await client.chat.completions.create({
			model: 'named',
			stream: true,
			stream_options: { include_usage: true },
			messages: [{ role: 'user', content: 'Hi [offline: think]' }],
		})) {
			chunks.push(chunk);
		}
		assert.equal(new Set(chunks.map(({ id, model, created, object }) => [id, model, created, object].join())).size, 1);
		assert.equal(chunks[0]?.object, 'chat.completion.chunk');
		assert.deepEqual(chunks[0]?.choices, [{ index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }]);
		assert.deepEqual(chunks.at(-1)?.choices, []);
		assert.ok((chunks.at(-1)?.usage?.total_tokens ?? 0) > 0);
		assert.deepEqual(chunks.at(-2)?.choices[0]?.delta, {});
		assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, 'stop');
		assert.ok(chunks.slice(0, -1).every(({ usage }) => usage === null));
		const thought = chunks.map(({ choices: [choice] }) => (choice?.delta ?? {}) as Record<string, string>);
		const thoughts = thought.map(({ reasoning_content: text = '' }) => text).join('');
		assert.match(thoughts, /does not think/);
		assert.equal(thought.map(({ reasoning: text = '' }) => text).join(''), thoughts);
	});

	it('streams calls by their index', async () => {
		const deltas: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall[] = [];
		const reasons: (string | null)[] = [];
		for await (const { choices } of await client.chat.completions.create({
			model: 'named',
			stream: true,
			tools: [weather],
			messages: [{ role: 'user', content: 'Weather? [offline: tool=get_weather]' }],
		})) {
			deltas.push(...(choices[0]?.delta.tool_calls ?? []));
			reasons.push(choices[0]?.finish_reason ?? null);
		}
		assert.ok(deltas.length > 1 && deltas.every(({ index }) => index === 0));
		assert.deepEqual(deltas[0]?.function, { name: 'get_weather', arguments: '' });
		assert.equal(deltas.filter(({ id }) => id !== undefined).length, 1);
		assert.deepEqual(Object.keys(JSON.parse(deltas.map(({ function: { arguments: json } = {} }) => json ?? '').join('')) as object), [
			'place',
		]);
		assert.equal(reasons.at(-1), 'tool_calls');
	});

	it('returns structured output', async () => {
		const { choices } = await completeChat('A person', {
			response_format: {
				type: 'json_schema',
				json_schema: {
					name: 'person',
					strict: true,
					schema: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } }, required: ['name', 'age'] },
				},
			},
		});
		assert.deepEqual(Object.keys(JSON.parse(choices[0]?.message.content ?? '') as object), ['name', 'age']);
	});

	it('throws the error of a broken stream and of a refused request', async () => {
		const stream = await client.chat.completions.create({
			model: 'named',
			stream: true,
			messages: [{ role: 'user', content: 'Hi [offline: error-after=2]' }],
		});
		await assert.rejects(
			async () => {
				for await (const _ of stream) {
					// reads until it breaks off
				}
			},
			(error: unknown) => error instanceof OpenAI.APIError && error.type === 'server_error',
		);
		await assert.rejects(completeChat('Hi [offline: error=429]'), OpenAI.RateLimitError);
		await assert.rejects(completeChat('Hi [offline: error=503]'), { status: 503, type: 'server_error' });
	});

	it("refuses in OpenAI's form with all four keys", async () => {
		const stranger = new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: 'wrong', maxRetries: 0 });
		await assert.rejects(stranger.models.list(), { status: 401, type: 'invalid_request_error', code: 'invalid_api_key', param: null });
		await assert.rejects(client.models.retrieve('nothing'), { status: 404, code: 'model_not_found' });
		await assert.rejects(completeChat('x', { temperature: 3 }), { status: 400, param: 'temperature', code: null });
		await assert.rejects(completeChat('x', { messages: [{ role: 'tool', tool_call_id: 'a', content: 'x' }] }), {
			status: 400,
			param: 'messages[0].tool_call_id',
		});
	});

	it('lists and retrieves models, including names with a slash', async () => {
		const ids: string[] = [];
		for await (const model of client.models.list()) {
			assert.equal(model.object, 'model');
			assert.equal(model.created, Math.floor(performance.timeOrigin / 1000));
			ids.push(model.id);
		}
		assert.deepEqual(ids, ['named', 'org/other', 'offline']);
		assert.equal((await client.models.retrieve('org/other')).id, 'org/other');
		assert.equal(((await client.models.retrieve('named')) as unknown as Record<string, unknown>)['max_input_tokens'], 9_000);
	});

	it('embeds texts closer together if they share words, in both formats', async () => {
		const { data, usage, model } = await client.embeddings.create({ model: 'named', input: ['a red house', 'the red house', 'fish swim'] });
		assert.equal(model, 'offline');
		assert.ok(usage.prompt_tokens > 0 && usage.total_tokens === usage.prompt_tokens);
		assert.deepEqual(
			data.map(({ index, object }) => [index, object]),
			[0, 1, 2].map(index => [index, 'embedding']),
		);
		const [first = [], second = [], third = []] = data.map(({ embedding }) => embedding);
		const computeDotProduct = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
		assert.equal(first.length, 256);
		assert.ok(Math.abs(computeDotProduct(first, first) - 1) < 1e-6);
		assert.ok(computeDotProduct(first, second) > computeDotProduct(first, third));
		const floats = await client.embeddings.create({ model: 'named', input: 'a red house', encoding_format: 'float' });
		assert.deepEqual(floats.data[0]?.embedding, first, 'the SDK asks for base64 by itself');
		const short = await client.embeddings.create({ model: 'named', input: 'a red house', dimensions: 8 });
		assert.equal(short.data[0]?.embedding.length, 8);
		await assert.rejects(client.embeddings.create({ model: 'named', input: [1, 2, 3] }), { status: 400, param: 'input' });
	});

	it('completes texts, whole and streamed', async () => {
		const whole = await client.completions.create({ model: 'named', prompt: 'Once' });
		assert.match(whole.id, /^cmpl-/);
		assert.equal(whole.object, 'text_completion');
		assert.equal(whole.choices[0]?.finish_reason, 'length');
		assert.equal(whole.usage?.completion_tokens, 16, "the default of OpenAI's service");
		let text = '';
		let reason: string | null = null;
		for await (const { choices, id } of await client.completions.create({ model: 'named', prompt: ['Once'], stream: true })) {
			assert.match(id, /^cmpl-/);
			text += choices[0]?.text ?? '';
			reason = choices[0]?.finish_reason ?? null;
		}
		assert.equal(text, whole.choices[0]?.text);
		assert.equal(reason, 'length');
		for (const [param, value] of Object.entries({ suffix: 'x', echo: true, best_of: 2, n: 2 })) {
			await assert.rejects(client.completions.create({ model: 'named', prompt: 'x', [param]: value }), { status: 400, param });
		}
		await assert.rejects(client.completions.create({ model: 'named', prompt: [1, 2] }), { status: 400, param: 'prompt' });
		await assert.rejects(client.completions.create({ model: 'named', prompt: ['a', 'b'] }), { status: 400, param: 'prompt' });
	});
});
