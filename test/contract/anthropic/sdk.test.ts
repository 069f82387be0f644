import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import * as z from 'zod';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const weather = {
	name: 'get_weather',
	description: 'Weather of a place',
	input_schema: {
		type: 'object' as const,
		properties: { place: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] }, days: { type: 'integer', minimum: 2 } },
		required: ['place', 'unit', 'days'],
	},
};

/** Runs the official SDK, changing only base URL and key, against the offline model. */
describe('@anthropic-ai/sdk against the gateway', () => {
	let gateway: TextGateway;
	let client: Anthropic;

	before(async () => {
		gateway = await startTextGateway([
			{ model: 'named-*', provider: 'offline' },
			{ model: 'other', provider: 'offline' },
		]);
		client = new Anthropic({ baseURL: gateway.baseUrl, apiKey: gateway.apiKey, maxRetries: 0 });
	});
	after(() => gateway.close());

	const createMessage = (content: Anthropic.MessageParam['content'], extra: Partial<Anthropic.MessageCreateParamsNonStreaming> = {}) =>
		client.messages.create({ model: 'offline', max_tokens: 500, messages: [{ role: 'user', content }], ...extra });
	const getMessageText = (message: Anthropic.Message) => message.content.map(block => (block.type === 'text' ? block.text : '')).join('');

	it('creates a complete message that is the same each time', async () => {
		const [first, second] = await Promise.all([
			createMessage('Hello', { system: 'Be brief.' }),
			createMessage('Hello', { system: 'Be brief.' }),
		]);
		assert.equal(first.type, 'message');
		assert.equal(first.role, 'assistant');
		assert.equal(first.model, 'offline');
		assert.equal(first.stop_reason, 'end_turn');
		assert.equal(first.stop_sequence, null);
		assert.match(first.id, /^msg_/);
		assert.match(getMessageText(first), /^This is the offline model, .*You wrote: "Hello"\. The system prompt has 9 characters\.$/);
		assert.equal(getMessageText(first), getMessageText(second));
		assert.notEqual(first.id, second.id);
		assert.ok(first.usage.input_tokens > 0 && first.usage.output_tokens > 10);
	});

	it('reports the offline model under each route name', async () => {
		const message = await createMessage('Hello', { model: 'named-sonnet-5' });
		assert.equal(message.model, 'offline');
		assert.match(getMessageText(message), /^This is the offline model/);
	});

	it('honors max_tokens', async () => {
		const message = await createMessage('Hello', { max_tokens: 3 });
		assert.equal(message.stop_reason, 'max_tokens');
		assert.equal(message.usage.output_tokens, 3);
		assert.equal(getMessageText(message), 'This is the');
	});

	it('stops at the first of stop_sequences and omits it from the text', async () => {
		const message = await createMessage('alpha beta gamma', { stop_sequences: ['gamma', ' beta', 'never'] });
		assert.equal(message.stop_reason, 'stop_sequence');
		assert.equal(message.stop_sequence, ' beta');
		assert.equal((message as unknown as Record<string, unknown>)['stop_sequences'], ' beta', 'the contract’s name for it');
		assert.ok(getMessageText(message).endsWith('You wrote: "alpha'));
	});

	it('streams with the raw iterator', async () => {
		const types: string[] = [];
		for await (const event of await client.messages.create({
			model: 'offline',
			max_tokens: 2,
			stream: true,
			messages: [{ role: 'user', content: 'Hi' }],
		})) {
			types.push(event.type);
		}
		assert.deepEqual(types, [
			'message_start',
			'content_block_start',
			'content_block_delta',
			'content_block_delta',
			'content_block_stop',
			'message_delta',
			'message_stop',
		]);
	});

	it('streams with the helper to the same message as create', async () => {
		const whole = await createMessage('Stream this');
		const pieces: string[] = [];
		const stream = client.messages
			.stream({ model: 'offline', max_tokens: 500, messages: [{ role: 'user', content: 'Stream this' }] })
			.on('text', piece => pieces.push(piece));
		const final = await stream.finalMessage();
		assert.ok(pieces.length > 5);
		assert.equal(pieces.join(''), getMessageText(whole));
		const { parsed_output: _, stop_details, ...rest } = final;
		assert.equal(stop_details ?? null, null);
		assert.deepEqual({ ...rest, id: '' }, { ...whole, id: '' });
	});

	it('returns thinking if the request enables it', async () => {
		const stream = client.messages.stream({
			model: 'offline',
			max_tokens: 500,
			messages: [{ role: 'user', content: 'Hm [offline: think]' }],
		});
		const { content } = await stream.finalMessage();
		assert.deepEqual(
			content.map(({ type }) => type),
			['thinking', 'text'],
		);
		assert.match(content[0]?.type === 'thinking' ? content[0].thinking : '', /offline model does not think/);
	});

	it('calls a forced tool with input that matches its schema', async () => {
		const message = await createMessage('Weather?', { tools: [weather], tool_choice: { type: 'tool', name: 'get_weather' } });
		assert.equal(message.stop_reason, 'tool_use');
		const [block] = message.content;
		assert.ok(block?.type === 'tool_use');
		assert.equal(block.name, 'get_weather');
		assert.deepEqual(block.input, { place: 'offline', unit: 'celsius', days: 2 });
	});

	it("understands tool_choices, the contract's name", async () => {
		const body = { model: 'offline', messages: [{ role: 'user', content: 'x' }], tools: [weather], tool_choices: { type: 'any' } };
		const message = (await client.post('/v1/messages', { body })) as Anthropic.Message;
		assert.equal(message.stop_reason, 'tool_use');
		const none = {
			...body,
			tool_choices: undefined,
			tool_choice: { type: 'none' },
			messages: [{ role: 'user', content: 'call get_weather' }],
		};
		assert.equal(((await client.post('/v1/messages', { body: none })) as Anthropic.Message).stop_reason, 'end_turn');
	});

	it('streams a conversation with a tool call and its result', async () => {
		const question = { role: 'user' as const, content: 'Please call get_weather' };
		const first = await client.messages
			.stream({ model: 'offline', max_tokens: 500, tools: [weather], messages: [question] })
			.on('inputJson', (partial: string) => assert.equal(typeof partial, 'string'))
			.finalMessage();
		const call = first.content.find(block => block.type === 'tool_use');
		assert.ok(call);
		assert.deepEqual(call.input, { place: 'offline', unit: 'celsius', days: 2 });
		const second = await client.messages.create({
			model: 'offline',
			max_tokens: 500,
			tools: [weather],
			messages: [
				question,
				{ role: 'assistant', content: first.content },
				{
					role: 'user',
					content: [{ type: 'tool_result', tool_use_id: call.id, content: [{ type: 'text', text: '21 degrees' }] }],
				},
			],
		});
		assert.equal(second.stop_reason, 'end_turn');
		assert.match(getMessageText(second), /The tool get_weather returned: "21 degrees"\./);
	});

	it("works with the SDK's tool runner, streamed and not", async () => {
		const tool = betaTool({
			name: 'get_weather',
			description: 'Weather',
			inputSchema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
			run: async ({ place }) => `Sun over ${place}`,
		});
		const params = { model: 'offline', max_tokens: 500, messages: [{ role: 'user' as const, content: 'call get_weather' }], tools: [tool] };
		const final = await client.beta.messages.toolRunner(params);
		assert.match(JSON.stringify(final.content), /The tool get_weather returned: .*Sun over offline/);
		const reasons: (string | null)[] = [];
		for await (const stream of client.beta.messages.toolRunner({ ...params, stream: true })) {
			reasons.push((await stream.finalMessage()).stop_reason);
		}
		assert.deepEqual(reasons, ['tool_use', 'end_turn']);
	});

	it("parses structured output with the SDK's zod helper", async () => {
		const schema = z.object({ city: z.enum(['Oslo', 'Rome']), degrees: z.number() });
		const message = await client.messages.parse({
			model: 'offline',
			max_tokens: 500,
			messages: [{ role: 'user', content: 'x' }],
			output_config: { format: zodOutputFormat(schema) },
		});
		assert.deepEqual(message.parsed_output, { city: 'Oslo', degrees: 0 });
	});

	it("refuses a tool result without its call with the API's message", async () => {
		await assert.rejects(
			createMessage([{ type: 'tool_result', tool_use_id: 'toolu_x', content: 'y' }]),
			(error: unknown) =>
				error instanceof Anthropic.BadRequestError && /unexpected `tool_use_id` found in `tool_result` blocks: toolu_x/.test(error.message),
		);
	});

	it('accepts images', async () => {
		const message = await createMessage([
			{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
			{ type: 'image', source: { type: 'url', url: 'https://example.invalid/a.png' } },
			{ type: 'text', text: 'What is this?' },
		]);
		assert.match(getMessageText(message), /You wrote: "What is this\?"\. Attached: 2 files\./);
	});

	it('returns structured output', async () => {
		const schema = {
			type: 'object',
			properties: { total: { type: 'number' }, tags: { type: 'array', items: { type: 'string' }, minItems: 1 } },
			required: ['total', 'tags'],
		};
		const message = await createMessage('Sum', { output_config: { format: { type: 'json_schema', schema } } });
		assert.deepEqual(JSON.parse(getMessageText(message)), { total: 0, tags: ['offline'] });
	});

	it('counts the same tokens as usage', async () => {
		const messages = [{ role: 'user' as const, content: 'Hello, how are you?' }];
		const { input_tokens } = await client.messages.countTokens({ model: 'offline', messages });
		const { usage } = await client.messages.create({ model: 'offline', max_tokens: 10, messages });
		assert.equal(input_tokens, usage.input_tokens);
	});

	it('lists models page by page', async () => {
		const page = await client.models.list({ limit: 1 });
		assert.equal(page.data[0]?.id, 'other');
		assert.equal(page.hasNextPage(), true);
		const ids: string[] = [];
		for await (const model of client.models.list({ limit: 1 })) {
			ids.push(model.id);
		}
		assert.deepEqual(ids, ['other', 'offline']);
		assert.equal((await client.models.retrieve('offline')).type, 'model');
		await assert.rejects(client.models.retrieve('nope'), Anthropic.NotFoundError);
	});

	it("raises the SDK's error classes", async () => {
		const cases: [string, new (...args: never[]) => Error, string][] = [
			['offline-error-400', Anthropic.BadRequestError, 'invalid_request_error'],
			['offline-error-401', Anthropic.AuthenticationError, 'authentication_error'],
			['offline-error-403', Anthropic.PermissionDeniedError, 'permission_error'],
			['offline-error-429', Anthropic.RateLimitError, 'rate_limit_error'],
			['offline-error-500', Anthropic.InternalServerError, 'api_error'],
			['offline-error-overloaded', Anthropic.InternalServerError, 'overloaded_error'],
		];
		for (const [model, errorClass, type] of cases) {
			await assert.rejects(createMessage('x', { model }), (error: unknown) => {
				assert.ok(error instanceof errorClass, model);
				assert.ok(error instanceof Anthropic.APIError);
				assert.equal((error.error as { error: { type: string } }).error.type, type);
				assert.match(error.requestID ?? '', /^req_/);
				return true;
			});
		}
	});

	it("succeeds on the SDK's retry after a rate limit", async () => {
		const patient = new Anthropic({ baseURL: gateway.baseUrl, apiKey: gateway.apiKey, maxRetries: 1 });
		const before = performance.now();
		await assert.rejects(
			patient.messages.create({ model: 'offline-error-429', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] }),
		);
		assert.ok(performance.now() - before > 900, 'retry-after: 1 is obeyed');
	});

	it('refuses wrong keys and invalid values', async () => {
		const wrong = new Anthropic({ baseURL: gateway.baseUrl, apiKey: 'wrong', maxRetries: 0 });
		await assert.rejects(
			wrong.messages.create({ model: 'offline', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] }),
			Anthropic.AuthenticationError,
		);
		const bad: [Record<string, unknown>, RegExp][] = [
			[{ temperature: 1.5 }, /temperature/],
			[{ temperature: -0.1 }, /temperature/],
			[{ top_k: 0 }, /top_k/],
			[{ top_p: 0 }, /top_p/],
			[{ top_p: 1 }, /top_p/],
			[{ max_tokens: 0 }, /max_tokens/],
			[{ messages: [] }, /messages: at least one message is required/],
			[{ messages: undefined }, /messages: Field required/],
			[{ messages: [{ role: 'robot', content: 'x' }] }, /messages\.0\.role/],
			[{ messages: [{ role: 'user', content: '' }] }, /messages\.0: all messages must have non-empty content/],
			[{ messages: [{ role: 'user', content: [] }] }, /messages\.0: all messages must have non-empty content/],
			[{ messages: [{ role: 'user', content: 5 }] }, /messages\.0\.content: expected a string or a list/],
			[{ messages: [{ role: 'system', content: 'x' }] }, /messages: at least one user message is required/],
			[{ stop_sequences: [''] }, /stop_sequences/],
			[{ max_tokens: 2 ** 53 }, /up to 9007199254740991/],
			[{ tools: [{ name: 'no spaces' }] }, /tools\.0\.name/],
			[{ tools: [{}] }, /tools\.0\.name: Field required/],
			[{ tools: [{ name: 'a' }, { name: 'a' }] }, /tools: Tool names must be unique/],
			[{ tools: [{ name: 'a' }], tool_choice: { type: 'tool', name: 'b' } }, /Tool 'b' not found/],
			[{ tool_choice: { type: 'any' } }, /while providing tools/],
			[{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, /web_search_20250305/],
		];
		for (const [extra, words] of bad) {
			const body = { model: 'offline', messages: [{ role: 'user', content: 'x' }], ...extra };
			await assert.rejects(client.post('/v1/messages', { body }), (error: unknown) => {
				assert.ok(error instanceof Anthropic.BadRequestError, JSON.stringify(extra));
				assert.match(error.message, words);
				return true;
			});
		}
	});

	it('treats null like an absent field', async () => {
		const body = { model: 'offline', messages: [{ role: 'user', content: 'x' }], temperature: null, stop_sequences: null, system: null };
		assert.equal(((await client.post('/v1/messages', { body })) as Anthropic.Message).stop_reason, 'end_turn');
	});

	it('ends a reply with an error event if it fails midway', async () => {
		const stream = client.messages.stream({
			model: 'offline',
			max_tokens: 100,
			messages: [{ role: 'user', content: 'Go on [offline: error-after=3]' }],
		});
		let text = '';
		stream.on('text', piece => {
			text += piece;
		});
		await assert.rejects(stream.finalMessage(), /overloaded_error|as requested/);
		assert.equal(text, 'This is the');
	});

	it('stops when the caller aborts', async () => {
		const stream = client.messages.stream({
			model: 'offline-slow',
			max_tokens: 4000,
			messages: [{ role: 'user', content: 'Long [offline: tokens=2000]' }],
		});
		let pieces = 0;
		stream.on('text', () => {
			pieces++;
			if (pieces === 3) {
				stream.abort();
			}
		});
		await assert.rejects(stream.finalMessage(), Anthropic.APIUserAbortError);
		assert.ok(pieces < 10);
	});
});
