import assert from 'node:assert/strict';
import { ServiceClient } from '#client/client.ts';
import type { ChatCompletionsChunk } from '#contract/openai/receivedChatCompletions.ts';
import { FakeService } from './fakeService.ts';

const createData = (...values: (object | string)[]) =>
	values.map(value => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join('');
const createChoice = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] });

describe("the client of a service with OpenAI's protocol", () => {
	const service = new FakeService();
	before(() => service.start());
	after(() => service.stop());

	const createClientAt = (path: string) =>
		new ServiceClient({ baseUrl: `${service.url}${path}`, kind: 'openai', keys: { messages: 'sk-1' } });
	const streamCompletion = async (client = createClientAt('/v1')): Promise<ChatCompletionsChunk[]> => {
		const chunks: ChatCompletionsChunk[] = [];
		try {
			for await (const chunk of client.streamChatCompletion({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })) {
				chunks.push(chunk);
			}
		} finally {
			await client.close();
		}
		return chunks;
	};

	it('sends requests below the base URL like SDKs, and adds the version if the URL has no path', async () => {
		for (const [base, path] of [
			['', '/v1/chat/completions'],
			['/v1', '/v1/chat/completions'],
			['/openai/v1/', '/openai/v1/chat/completions'],
			['/v1beta/openai', '/v1beta/openai/chat/completions'],
		] as const) {
			service.setAnswers({ body: createData(createChoice({}, 'stop'), '[DONE]') });
			await streamCompletion(createClientAt(base));
			assert.equal(service.requests[0]?.url, path);
			assert.equal(service.requests[0]?.headers.authorization, 'Bearer sk-1');
		}
	});

	it('reads the usage after the finish reason, ends at [DONE] without a reason, and reports where a stream was cut', async () => {
		service.setAnswers({
			body: createData(createChoice({ content: 'x' }), createChoice({}, 'stop'), { choices: [], usage: { prompt_tokens: 1 } }, '[DONE]'),
		});
		assert.deepEqual((await streamCompletion()).at(-1)?.usage, { prompt_tokens: 1 });
		service.setAnswers({ body: createData(createChoice({ content: 'x' }), '[DONE]') });
		assert.equal((await streamCompletion()).length, 1);
		service.setAnswers({ body: createData(createChoice({ content: 'x' })) });
		await assert.rejects(streamCompletion(), { reason: 'protocol' });
		service.setAnswers({
			body: `: ping\n\n${createData({ error: { message: 'boom', type: 'server_error', param: null, code: null } }, '[DONE]')}`,
		});
		await assert.rejects(streamCompletion(), { reason: 'server', message: /boom/ });
	});

	it('distinguishes refusals by code, and by status if the type is generic', async () => {
		for (const [status, error, expected] of [
			[401, { type: 'invalid_request_error', code: 'invalid_api_key' }, { reason: 'auth', code: 'invalid_api_key' }],
			[401, { type: 'invalid_request_error', code: null }, { reason: 'auth' }],
			[404, { type: 'invalid_request_error', code: 'model_not_found' }, { reason: 'not-found' }],
			[
				400,
				{ type: 'invalid_request_error', code: 'context_length_exceeded' },
				{ reason: 'invalid-request', code: 'context_length_exceeded' },
			],
			[400, { type: 'invalid_request_error', code: null }, { reason: 'invalid-request' }],
			[429, { type: 'insufficient_quota', code: 'insufficient_quota' }, { reason: 'rate-limited' }],
		] as const) {
			service.setAnswers({ status, headers: { 'x-should-retry': 'false' }, json: { error: { message: 'no', param: null, ...error } } });
			await assert.rejects(streamCompletion(), expected, `${status} ${error.code}`);
		}
	});

	it('lists models that have only names, without requesting pages', async () => {
		service.setAnswers({
			json: {
				object: 'list',
				data: [
					{ id: 'a', object: 'model' },
					{ id: 'org/b', object: 'model', context_length: 8192 },
				],
			},
		});
		const client = createClientAt('/v1');
		assert.deepEqual(
			(await client.listMessagesModels()).map(({ id }) => id),
			['a', 'org/b'],
		);
		assert.equal(service.requests[0]?.url, '/v1/models');
		await client.close();
	});
});
