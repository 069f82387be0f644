import assert from 'node:assert/strict';
import { postBytes } from '../post.ts';
import { createGreetingAgent } from './agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from './gatewayProcess.ts';

describe('HTTP requests to the gateway', () => {
	let gateway: GatewayProcess;

	before(async () => {
		gateway = await startGateway({ agents: { greeter: createGreetingAgent() } });
	});
	after(cleanUpGateways);

	const messages = JSON.stringify({ model: 'offline', messages: [{ role: 'user', content: 'x' }] });
	const postBody = async (path: string, body: string, headers: Record<string, string> = {}) => {
		const reply = await postBytes(gateway.baseUrl + path, body, {
			'x-api-key': gateway.apiKey,
			'anthropic-version': '2023-06-01',
			...headers,
		});
		return { status: reply.status, json: JSON.parse(reply.body.toString()) };
	};

	it('read the service name and the address of its description at / without a key', async () => {
		const response = await fetch(`${gateway.baseUrl}/`);
		assert.deepEqual(
			[response.status, await response.json()],
			[200, { service: 'agent-workbench-gateway', description: '/openapi.json', health: '/healthz' }],
		);
	});

	it('must be JSON for /v1/messages and /v1/complete', async () => {
		for (const path of ['/v1/messages', '/v1/complete', '/v1/messages/count_tokens']) {
			assert.equal((await postBody(path, messages, { 'content-type': 'text/plain' })).status, 415, path);
		}
		assert.equal((await postBody('/v1/messages', messages, { 'content-type': 'application/json; charset=utf-8' })).status, 200);
	});

	it('must have a real date as the Anthropic version, and may have an empty key header', async () => {
		for (const version of ['9999-99-99', '2023-02-30', 'latest', '1999-01-01']) {
			assert.equal((await postBody('/v1/messages', messages, { 'anthropic-version': version })).status, 400, version);
		}
		const bearer = { 'x-api-key': '', authorization: `Bearer ${gateway.apiKey}`, 'anthropic-version': '2026-10-21' };
		assert.equal((await postBody('/v1/messages', messages, bearer)).status, 200);
	});

	it('get 404 for an unknown Gemini method or a missing model', async () => {
		for (const path of ['/v1beta/models/offline:shout', '/v1beta/models/:generateContent']) {
			const { status, json } = await postBody(path, '{}', { 'x-goog-api-key': gateway.apiKey });
			assert.deepEqual([status, json.error.status], [404, 'NOT_FOUND'], path);
		}
	});

	it("of Dify clients get Dify's messages with the requested paths", async () => {
		const app = '/dify/greeter/v1';
		for (const path of [`${app}/workflows/run`, '/v1/agent/workflows/run']) {
			assert.equal((await gateway.send('POST', path, '{"inputs":')).json.code, 'bad_request');
			assert.deepEqual((await gateway.send('POST', path, '[]')).json, {
				code: 'bad_request',
				message: 'The request body must be a JSON object.',
				status: 400,
			});
		}
		assert.equal((await gateway.send('GET', `${app}/nothing`)).json.message, `Unknown path '${app}/nothing'.`);
	});

	it('get the position of an invalid file', async () => {
		const files = [{ type: 'image', transfer_method: 'remote_url', url: 'not a url' }];
		const run = { model: 'greeter', inputs: { name: 'x' }, user: 'u', response_mode: 'blocking', files };
		const { status, json } = await gateway.send('POST', '/v1/agent/workflows/run', run);
		assert.deepEqual([status, json.params], [400, 'files.0.url']);
	});

	it('get 413 without mentioning a file if the body is too large', async () => {
		const { status, json } = await gateway.send('POST', '/v1/agent/workflows/run', `{"x":"${'x'.repeat(33 * 2 ** 20)}"}`);
		assert.deepEqual([status, json.code], [413, 'request_entity_too_large']);
	});

	it('get no body for HEAD', async () => {
		for (const path of ['/healthz', '/v1/agent/workflows/logs?model=greeter']) {
			const { status, text } = await gateway.send('HEAD', path);
			assert.deepEqual([status, text], [200, ''], path);
		}
	});

	it('are accepted for the allowed host names only', async () => {
		const named = await startGateway({ flags: ['--allow-host', 'gateway.test'] });
		const getStatusForHost = async (host: string) => (await postBytes(`${named.baseUrl}/healthz`, '', { host })).status;
		assert.equal(await getStatusForHost('gateway.test:80'), 405);
		assert.equal(await getStatusForHost('other.test'), 403);
	});
});
