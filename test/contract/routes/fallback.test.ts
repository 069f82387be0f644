import assert from 'node:assert/strict';
import type { RouteConfig } from '#models/routeConfig.ts';
import { createJsonResponse, createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
const message = {
	id: 'msg_1',
	type: 'message',
	role: 'assistant',
	model: 'up',
	content: [{ type: 'text', text: 'From the first' }],
	stop_reason: 'end_turn',
	stop_sequence: null,
	usage: { input_tokens: 10, output_tokens: 5 },
};
const completion = {
	id: 'c',
	object: 'chat.completion',
	created: 1,
	model: 'second',
	choices: [{ index: 0, message: { role: 'assistant', content: 'From the second' }, finish_reason: 'stop' }],
	usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
};

describe('routes with retries and fallbacks', () => {
	let first: RecordingUpstream;
	let second: RecordingUpstream;
	let gateway: TextGateway | undefined;
	beforeEach(async () => {
		first = await new RecordingUpstream().start();
		second = await new RecordingUpstream().start();
		second.answer = createJsonResponse(completion);
	});
	afterEach(async () => {
		await gateway?.close();
		gateway = undefined;
		await first.close();
		await second.close();
	});

	const createFallbackRoute = (): RouteConfig => ({ model: 'second', provider: 'openai-compatible', base_url: second.baseUrl });
	async function requestRoute(
		route: Partial<RouteConfig>,
		body: object = {},
		more: readonly RouteConfig[] = [createFallbackRoute()],
	): Promise<Response> {
		gateway = await startTextGateway([{ model: 'm', provider: 'anthropic', base_url: first.baseUrl, ...route }, ...more]);
		return fetch(`${gateway.baseUrl}/v1/messages`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-api-key': gateway.apiKey, 'anthropic-version': '2023-06-01' },
			body: JSON.stringify({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], ...body }),
		});
	}
	const getReplyText = async (response: Response) => ((await response.json()) as { content: { text: string }[] }).content[0]?.text;

	for (const status of [429, 500, 503, 529]) {
		it(`translate a request for a fallback of another protocol on ${status} and report it`, async () => {
			first.answer = createJsonResponse(overloaded, status);
			const response = await requestRoute(
				{ fallback: ['second'] },
				{ thinking: { type: 'enabled', budget_tokens: 1024 }, container: 'c1' },
			);
			assert.equal(response.status, 200);
			assert.equal(response.headers.get('x-agent-workbench-route'), 'second second');
			assert.match(response.headers.get('warning') ?? '', /container: ignored/);
			assert.equal(await getReplyText(response), 'From the second');
			assert.equal((JSON.parse(second.last.body.toString()) as { model: string }).model, 'second');
		});
	}

	it('forward a request unchanged to a fallback of the same protocol, except for the model name', async () => {
		first.answer = createJsonResponse(overloaded, 503);
		second.answer = createJsonResponse(message);
		const same: RouteConfig = { model: 'second', provider: 'anthropic', base_url: second.baseUrl };
		const response = await requestRoute({ fallback: ['second'] }, {}, [same]);
		assert.equal(await getReplyText(response), 'From the first');
		assert.equal((JSON.parse(second.last.body.toString()) as { model: string }).model, 'second');
	});

	it('retry after the delay that the service asks for before they use a fallback', async () => {
		const answers = [
			createJsonResponse(overloaded, 429, { 'retry-after': '0' }),
			createJsonResponse(overloaded, 500, { 'retry-after': '0' }),
			createJsonResponse(message),
		];
		first.answer = (request, response) => answers.shift()?.(request, response);
		const response = await requestRoute({ retries: 2, fallback: ['second'] });
		assert.equal(response.headers.get('x-agent-workbench-route'), 'm');
		assert.equal(await getReplyText(response), 'From the first');
		assert.deepEqual([first.requests.length, second.requests.length], [3, 0]);
	});

	it('use a fallback immediately if the service asks for a long delay', async () => {
		first.answer = createJsonResponse(overloaded, 429, { 'retry-after': '3600' });
		assert.equal(await getReplyText(await requestRoute({ retries: 5, fallback: ['second'] })), 'From the second');
		assert.equal(first.requests.length, 1);
	});

	it("use a fallback if a reply doesn't start in time or the port is closed", async () => {
		first.answer = () => {};
		assert.equal(await getReplyText(await requestRoute({ timeout: 0.2, fallback: ['second'] })), 'From the second');
		await gateway?.close();
		assert.equal(await getReplyText(await requestRoute({ base_url: 'http://127.0.0.1:9', fallback: ['second'] })), 'From the second');
	});

	it("return the last refusal in its service's form", async () => {
		first.answer = createJsonResponse({ error: { message: 'slow down' } }, 429, { 'retry-after': '0' });
		second.answer = createJsonResponse(overloaded, 529);
		const same: RouteConfig = { model: 'second', provider: 'anthropic', base_url: second.baseUrl };
		const response = await requestRoute({ fallback: ['second'] }, {}, [same]);
		assert.equal(response.status, 529);
		assert.deepEqual(await response.json(), overloaded);
		assert.equal(response.headers.get('x-agent-workbench-route'), 'second second');
	});

	it('return a refusal of an invalid request without a retry', async () => {
		first.answer = createJsonResponse({ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, 400);
		const response = await requestRoute({ retries: 3, fallback: ['second'] });
		assert.equal(response.status, 400);
		assert.deepEqual([first.requests.length, second.requests.length], [1, 0]);
	});

	it("don't retry a reply that has started", async () => {
		first.answer = (_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write('event: message_start\ndata: {"type":"message_start"}\n\n');
			setImmediate(() => response.destroy());
		};
		const response = await requestRoute({ retries: 3, fallback: ['second'] }, { stream: true });
		assert.match(await response.text(), /message_start[\s\S]*event: error/);
		assert.deepEqual([first.requests.length, second.requests.length], [1, 0]);
	});

	it('use a fallback if the stream of a translated route fails before its first chunk', async () => {
		first.answer = createStreamResponse('data: {"error":{"message":"busy","code":503}}\n\n');
		second.answer = createJsonResponse(message);
		const response = await requestRoute({ provider: 'openai-compatible', fallback: ['second'] }, {}, [
			{ model: 'second', provider: 'anthropic', base_url: second.baseUrl },
		]);
		assert.equal(await getReplyText(response), 'From the first');
	});

	it('use no fallback for a request that continues a response of their service', async () => {
		first.answer = createJsonResponse({ error: { message: 'busy', type: 'server_error', param: null, code: null } }, 503);
		gateway = await startTextGateway([
			{ model: 'm', provider: 'openai-compatible', base_url: first.baseUrl, responses: true, fallback: ['offline'] },
		]);
		const { baseUrl, apiKey } = gateway;
		const requestResponse = (body: object) =>
			fetch(`${baseUrl}/v1/responses`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
				body: JSON.stringify({ model: 'm', input: 'Hi', ...body }),
			});
		const refused = await requestResponse({ previous_response_id: 'resp_of_the_service' });
		assert.equal(refused.status, 503);
		assert.match(await refused.text(), /busy/);
		const answered = await requestResponse({});
		assert.equal(answered.status, 200);
		const { id } = (await answered.json()) as { id: string };
		assert.equal((await requestResponse({ previous_response_id: id })).status, 200);
	});

	it('name the answering route even without a fallback', async () => {
		first.answer = createJsonResponse(message);
		assert.equal((await requestRoute({})).headers.get('x-agent-workbench-route'), 'm');
	});
});

describe('a cap on reply tokens', () => {
	let upstream: RecordingUpstream;
	let gateway: TextGateway;
	before(async () => {
		upstream = await new RecordingUpstream().start();
		upstream.answer = createJsonResponse({});
		const base = { base_url: upstream.baseUrl, max_output_tokens: 50 };
		gateway = await startTextGateway([
			{ model: 'claude', provider: 'anthropic', ...base },
			{ model: 'gemini', provider: 'google', ...base },
			{ model: 'gpt', provider: 'openai-compatible', ...base },
		]);
	});
	after(async () => {
		await gateway.close();
		await upstream.close();
	});

	async function sendRequest(path: string, body: object): Promise<{ body: Record<string, unknown>; warning: string | null }> {
		const response = await fetch(gateway.baseUrl + path, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				authorization: `Bearer ${gateway.apiKey}`,
				'anthropic-version': '2023-06-01',
			},
			body: JSON.stringify(body),
		});
		await response.text();
		return { body: JSON.parse(upstream.last.body.toString()) as Record<string, unknown>, warning: response.headers.get('warning') };
	}

	it('limits forwarded requests in the form of each protocol', async () => {
		const messages = [{ role: 'user', content: 'Hi' }];
		const lowered = /"(max_tokens|maxOutputTokens|max_completion_tokens): lowered from 500 to 50, the limit of the route"/;
		for (const [path, body, capped] of [
			['/v1/messages', { model: 'claude', max_tokens: 500, messages }, { max_tokens: 50 }],
			['/v1/chat/completions', { model: 'gpt', messages, max_tokens: 500 }, { max_tokens: 50 }],
			['/v1/chat/completions', { model: 'gpt', messages, max_completion_tokens: 500 }, { max_completion_tokens: 50 }],
			[
				'/v1beta/models/gemini:generateContent',
				{ contents: [], generationConfig: { topK: 1, maxOutputTokens: 500 } },
				{ generationConfig: { topK: 1, maxOutputTokens: 50 } },
			],
		] as const) {
			const got = await sendRequest(path, body);
			assert.deepEqual(got.body, { ...body, ...capped });
			assert.match(got.warning ?? '', lowered);
		}
	});

	it('is added if the caller sets none, and leaves lower limits unchanged', async () => {
		const messages = [{ role: 'user', content: 'Hi }' }];
		assert.deepEqual(await sendRequest('/v1/chat/completions', { model: 'gpt', messages }), {
			body: { model: 'gpt', messages, max_tokens: 50 },
			warning: null,
		});
		assert.deepEqual(await sendRequest('/v1/messages', { model: 'claude', max_tokens: 5, messages }), {
			body: { model: 'claude', max_tokens: 5, messages },
			warning: null,
		});
		assert.deepEqual((await sendRequest('/v1beta/models/gemini:generateContent', { contents: [] })).body, {
			contents: [],
			generationConfig: { maxOutputTokens: 50 },
		});
		assert.deepEqual((await sendRequest('/v1/embeddings', { model: 'gpt', input: 'a' })).body, { model: 'gpt', input: 'a' });
	});
});
