import assert from 'node:assert/strict';
import { servedEndpoints } from '../../support/servedEndpoints.ts';
import { createChatAgent, createGreetingAgent } from './agents.ts';
import { cleanUpGateways, startGateway } from './gatewayProcess.ts';

describe('/openapi.json', () => {
	after(cleanUpGateways);

	it("describes every served operation with the contract's schemas", async () => {
		const gateway = await startGateway();
		const response = await fetch(`${gateway.baseUrl}/openapi.json`);
		// biome-ignore lint/suspicious/noExplicitAny: the test reads an untyped description
		const description = (await response.json()) as any;
		assert.equal(description.openapi, '3.1.0');
		const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
			Object.entries(methods as object).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
		);
		assert.ok(operations.length > 25);
		for (const { path, method, operation } of operations) {
			assert.notEqual(operation.summary, '', `${method} ${path} is not described`);
			const served = await fetch(gateway.baseUrl + path.replaceAll(/\{\w+\}/g, 'x'), { method });
			assert.doesNotMatch(await served.text(), /Unknown path|isn't allowed for this path/, `${method} ${path}`);
		}
		const run = description.paths['/v1/agent/workflows/run'].post.requestBody.content['application/json'].schema;
		assert.deepEqual(run.required, ['model', 'inputs', 'response_mode', 'user']);
		const logs = description.paths['/v1/agent/workflows/logs'].get.parameters;
		assert.deepEqual(
			logs.map((parameter: { name: string }) => parameter.name),
			['model', 'keyword', 'status', 'created_at__after', 'created_at__before', 'page', 'limit'],
		);
		assert.deepEqual(
			logs.filter((parameter: { required: boolean }) => parameter.required).map((parameter: { name: string }) => parameter.name),
			['model'],
		);
	});

	it('describes responses that match the actual ones', async () => {
		const gateway = await startGateway({ agents: { greeter: createGreetingAgent(), chatter: createChatAgent() } });
		for (const [name, { response, stream }] of Object.entries(servedEndpoints)) {
			assert.ok(response ?? stream === 'always', `${name}: what it answers is not described`);
		}
		const [model, user] = ['greeter', 'u'];
		const run = { model, inputs: { name: 'x' }, user, response_mode: 'blocking' };
		const prompt = { contents: [{ parts: [{ text: 'x' }] }] };
		const messages = { model: 'offline', messages: [{ role: 'user', content: 'x' }], max_tokens: 9 };
		const headers = { 'x-api-key': gateway.apiKey, 'anthropic-version': '2023-06-01' };
		// biome-ignore lint/suspicious/noExplicitAny: tests read untyped responses
		const requestOperation = async (operation: string, path: string, body?: unknown, more?: Record<string, string>): Promise<any> => {
			const method = operation.slice(0, operation.indexOf(' '));
			const { status, json, text } = await gateway.send(method, path, body, more);
			assert.ok(status < 300, `${operation}: ${text}`);
			const response = servedEndpoints[operation]?.response;
			assert.ok(response && response !== 'bytes');
			response().parse(json);
			return json;
		};
		const { workflow_run_id: id, task_id: task } = await requestOperation('POST /v1/agent/workflows/run', '/v1/agent/workflows/run', run);
		await requestOperation('GET /v1/agent/workflows/run/{id}', `/v1/agent/workflows/run/${id}?model=greeter`);
		await requestOperation('POST /v1/agent/workflows/tasks/{task}/stop', `/v1/agent/workflows/tasks/${task}/stop`, { model, user });
		await requestOperation('GET /v1/agent/workflows/logs', '/v1/agent/workflows/logs?model=greeter');
		const chat = { model: 'chatter', query: 'x', inputs: {}, user, response_mode: 'blocking' };
		const { conversation_id: conversation } = await requestOperation('POST /v1/agent/chat-messages', '/v1/agent/chat-messages', chat);
		await requestOperation('GET /v1/agent/messages', `/v1/agent/messages?model=chatter&user=u&conversation_id=${conversation}`);
		await requestOperation('GET /v1/agent/conversations', '/v1/agent/conversations?model=chatter&user=u');
		const named = { model: 'chatter', user, name: 'n' };
		await requestOperation('POST /v1/agent/conversations/{id}/name', `/v1/agent/conversations/${conversation}/name`, named);
		await requestOperation('DELETE /v1/agent/conversations/{id}', `/v1/agent/conversations/${conversation}`, named);
		for (const path of ['agents', 'agents/greeter/published', 'parameters?model=greeter', 'info?model=greeter', 'meta?model=greeter']) {
			const name = path.replace('greeter/', '{name}/').replace(/\?.*/, '');
			await requestOperation(`GET /v1/agent/${name}`, `/v1/agent/${path}`);
		}
		await requestOperation('POST /v1/agent/agents/{name}/check', '/v1/agent/agents/greeter/check', { source: createGreetingAgent() });
		await requestOperation('POST /v1/agent/agents/{name}/publish', '/v1/agent/agents/greeter/publish', {});
		await requestOperation('POST /v1/messages', '/v1/messages', messages, headers);
		await requestOperation('POST /v1/messages/count_tokens', '/v1/messages/count_tokens', messages, headers);
		const completion = { model: 'offline', prompt: '\n\nHuman: x\n\nAssistant:', max_tokens_to_sample: 9 };
		await requestOperation('POST /v1/complete', '/v1/complete', completion, headers);
		await requestOperation('POST /v1/chat/completions', '/v1/chat/completions', { model: 'offline', messages: messages.messages });
		await requestOperation('POST /v1/completions', '/v1/completions', { model: 'offline', prompt: 'x' });
		await requestOperation('POST /v1/embeddings', '/v1/embeddings', { model: 'offline', input: 'x', encoding_format: 'base64' });
		await requestOperation('POST /v1beta/models/{model}:generateContent', '/v1beta/models/offline:generateContent', prompt);
		await requestOperation('POST /v1beta/models/{model}:countTokens', '/v1beta/models/offline:countTokens', prompt);
		await requestOperation('POST /v1beta/models/{model}:embedContent', '/v1beta/models/offline:embedContent', {
			content: prompt.contents[0],
		});
		const batch = { requests: [{ model: 'models/offline', content: prompt.contents[0] }] };
		await requestOperation('POST /v1beta/models/{model}:batchEmbedContents', '/v1beta/models/offline:batchEmbedContents', batch);
		await requestOperation('POST /v1/responses/input_tokens', '/v1/responses/input_tokens', { model: 'offline', input: 'x' });
		const response = await requestOperation('POST /v1/responses', '/v1/responses', { model: 'offline', input: 'x' });
		await requestOperation('GET /v1/responses/{id}', `/v1/responses/${response.id}`);
		await requestOperation('DELETE /v1/responses/{id}', `/v1/responses/${response.id}`);
		for (const path of ['/healthz', '/openapi.json', '/v1/models', '/v1/models/offline', '/v1beta/models', '/v1beta/models/offline']) {
			await requestOperation(`GET ${path.replace('/offline', '/{model}')}`, path, undefined, headers);
		}
	});
});
