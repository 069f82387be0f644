import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { postBytes } from '../post.ts';
import { createJsonResponse, createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const upstreamKey = 'upstream-secret-0123456789';

describe("passthrough of OpenAI's protocol", () => {
	let upstream: RecordingUpstream;
	let gateway: TextGateway;
	let client: OpenAI;

	before(async () => {
		upstream = await new RecordingUpstream().start();
		gateway = await startTextGateway(
			[
				{ model: 'alias', provider: 'openai-compatible', base_url: `${upstream.baseUrl}/v1`, upstream_model: 'org/model "x"', key: 'UP' },
				{ model: 'llama*', provider: 'ollama', base_url: upstream.baseUrl },
				{ model: 'keyless', provider: 'openai-compatible', base_url: `${upstream.baseUrl}/v1`, key: 'MISSING' },
				{ model: 'nobody', provider: 'openai-compatible', base_url: 'http://127.0.0.1:9/v1' },
			],
			{ UP: upstreamKey },
			{ headers: 2_000, idle: 2_000 },
		);
		client = new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey, maxRetries: 0 });
	});
	after(async () => {
		await gateway.close();
		await upstream.close();
	});

	const postBody = (path: string, body: string, headers: Record<string, string> = {}) =>
		postBytes(`${gateway.baseUrl}${path}`, body, { authorization: `Bearer ${gateway.apiKey}`, ...headers });

	for (const path of ['/chat/completions', '/completions', '/embeddings']) {
		it(`${path} forwards request and response unchanged except for the model`, async () => {
			const answer = '{ "id":"1",\n "new field": [1.0, 2e3] }';
			upstream.answer = createJsonResponse(answer, 200, { 'x-request-id': 'theirs', 'openai-processing-ms': '7' });
			const createRequestBody = (model: string) =>
				`{ "messages": [ ], "n":  3, "model" : ${model}, "logit_bias":{"1":0.10}, "unknown": "ü" }`;
			const reply = await postBody(`/v1${path}?api-version=1`, createRequestBody('"alias"'), { 'openai-beta': 'x=1' });
			assert.equal(reply.status, 200);
			assert.equal(reply.body.toString(), answer);
			assert.equal(reply.headers['x-request-id'], 'theirs');
			assert.equal(reply.headers['openai-processing-ms'], '7');
			assert.equal(upstream.last.url, `/v1${path}?api-version=1`);
			assert.equal(upstream.last.body.toString(), createRequestBody('"org/model \\"x\\""'));
			assert.equal(upstream.last.headers['authorization'], `Bearer ${upstreamKey}`);
			assert.equal(upstream.last.headers['openai-beta'], 'x=1');
			await postBody(`/v1${path}`, createRequestBody('"llama3"'));
			assert.equal(upstream.last.url, `/v1${path}`);
			assert.equal(upstream.last.body.toString(), createRequestBody('"llama3"'));
			assert.equal(upstream.last.headers['authorization'], undefined);
		});
	}

	it('accepts the key in any of its headers and forwards none of them', async () => {
		upstream.answer = createJsonResponse({});
		for (const name of ['x-api-key', 'api-key']) {
			const reply = await postBytes(`${gateway.baseUrl}/v1/chat/completions`, '{"model":"llama"}', { [name]: gateway.apiKey });
			assert.equal(reply.status, 200, name);
			assert.ok(!JSON.stringify(upstream.last.headers).includes(gateway.apiKey), name);
		}
		const none = await postBytes(`${gateway.baseUrl}/v1/chat/completions`, '{"model":"llama"}', {});
		assert.equal(none.status, 401);
		const { error } = JSON.parse(none.body.toString()) as { error: object };
		assert.deepEqual(Object.keys(error), ['message', 'type', 'param', 'code']);
		assert.equal(none.headers['x-request-id'], none.headers['request-id']);
	});

	it('forwards a stream as it arrives', async () => {
		const bytes = `data: {"choices":[{"index":0,"delta":{"content":"Hé"}}]}\n\n: a comment\n\ndata: [DONE]\n\n`;
		upstream.answer = createStreamResponse(bytes, 7);
		const reply = await postBody('/v1/chat/completions', '{"model":"alias","stream":true}');
		assert.equal(reply.body.toString(), bytes);
	});

	it('returns the status and message of a refusal in its own form or in ours', async () => {
		const theirs = { error: { message: 'Too long', type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' } };
		upstream.answer = createJsonResponse(theirs, 400);
		await assert.rejects(client.chat.completions.create({ model: 'alias', messages: [] }), {
			status: 400,
			code: 'context_length_exceeded',
			param: 'messages',
		});
		upstream.answer = createJsonResponse({ detail: `no ${upstreamKey} here` }, 429, { 'retry-after': '3' });
		await assert.rejects(client.embeddings.create({ model: 'alias', input: 'x' }), (error: unknown) => {
			assert.ok(error instanceof OpenAI.RateLimitError);
			assert.equal(error.code, 'rate_limit_exceeded');
			assert.equal(error.headers?.get('retry-after'), '3');
			assert.match(error.message, /responded with 429: no \[key\] here/);
			return true;
		});
	});

	it('reports a stream that breaks off and ends it', async () => {
		upstream.answer = (_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write('data: {"choices":[]}\n\n', () => response.destroy());
		};
		const reply = await postBody('/v1/chat/completions', '{"model":"alias","stream":true}');
		const [, fault, done] = reply.body.toString().split('\n\n');
		assert.match(fault ?? '', /^data: \{"error":\{"message":"The service at .*","type":"server_error","param":null,"code":null\}\}$/);
		assert.equal(done, 'data: [DONE]');
	});

	it('reports invalid requests before anything is forwarded', async () => {
		const refusals = [
			['', 400],
			['[1]', 400],
			['{"model":', 400],
			['{}', 400],
			['{"model":7}', 400],
			['{"model":"keyless"}', 401],
			['{"model":"nobody"}', 502],
		] as const;
		const before = upstream.requests.length;
		for (const [body, status] of refusals) {
			const reply = await postBody('/v1/chat/completions', body);
			assert.equal(reply.status, status, body);
			const { error } = JSON.parse(reply.body.toString()) as { error: { message: string; param: string | null } };
			assert.ok(error.message.length > 10, body);
			assert.equal(error.param, body === '{}' || body === '{"model":7}' ? 'model' : null, body);
		}
		assert.equal(upstream.requests.length, before);
	});

	it('refuses a WebSocket with 426, so that clients use HTTP', async () => {
		const headers = { upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-version': '13', 'sec-websocket-key': 'x' };
		const reply = await postBody('/v1/responses', '', headers);
		assert.equal(reply.status, 426);
	});
});
