import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Log } from '#gateway/process/log.ts';
import { Store } from '#gateway/store/store.ts';
import { GatewayTextModels } from '#gateway/textGeneration/gatewayTextModels.ts';
import type { RouteConfig } from '#models/routeConfig.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
const listed = "The model 'claud-opus' isn't served here. Available models: claude-opus, local-*, offline.";
const notFound = { error: { message: listed, type: 'invalid_request_error', param: 'model', code: 'model_not_found' } };

/** Requests for text in each protocol, with the placeholder NAME as the model, and their refusals. */
const requests: readonly [path: string, body: object, refusal: object][] = [
	['/v1/messages', { model: 'NAME', max_tokens: 9, messages }, { type: 'error', error: { type: 'not_found_error', message: listed } }],
	['/v1/messages/count_tokens', { model: 'NAME', messages }, { type: 'error', error: { type: 'not_found_error', message: listed } }],
	[
		'/v1/complete',
		{ model: 'NAME', max_tokens_to_sample: 9, prompt: '\n\nHuman: Hi\n\nAssistant:' },
		{ type: 'error', error: { type: 'not_found_error', message: listed } },
	],
	['/v1beta/models/NAME:generateContent', { contents }, { error: { code: 404, message: listed, status: 'NOT_FOUND' } }],
	['/v1beta/models/NAME:streamGenerateContent', { contents }, { error: { code: 404, message: listed, status: 'NOT_FOUND' } }],
	['/v1beta/models/NAME:countTokens', { contents }, { error: { code: 404, message: listed, status: 'NOT_FOUND' } }],
	['/v1beta/models/NAME:embedContent', { content: contents[0] }, { error: { code: 404, message: listed, status: 'NOT_FOUND' } }],
	['/v1/chat/completions', { model: 'NAME', messages }, notFound],
	['/v1/completions', { model: 'NAME', prompt: 'Hi' }, notFound],
	['/v1/responses', { model: 'NAME', input: 'Hi' }, notFound],
	['/v1/responses/input_tokens', { model: 'NAME', input: 'Hi' }, notFound],
	['/v1/embeddings', { model: 'NAME', input: 'Hi' }, notFound],
];
const routes: readonly RouteConfig[] = [
	{ model: 'local-*', provider: 'openai-compatible', base_url: 'http://127.0.0.1:9/v1' },
	{ model: 'claude-opus', provider: 'anthropic', base_url: 'http://127.0.0.1:9' },
];

describe('a model without a route', () => {
	const started: TextGateway[] = [];
	const folder = mkdtempSync(path.join(tmpdir(), 'unknown-models-'));
	const store = new Store(folder, 0, new Log('text', () => {}));
	after(async () => {
		for (const gateway of started) {
			await gateway.close();
		}
		await store.close();
		rmSync(folder, { recursive: true });
	});

	async function startGateway(...given: readonly RouteConfig[]): Promise<TextGateway> {
		const gateway = await startTextGateway(given, {}, {}, { store });
		started.push(gateway);
		return gateway;
	}

	function requestModel({ baseUrl, apiKey }: TextGateway, address: string, body: object, model: string): Promise<Response> {
		const insertModelName = (text: string) => text.replaceAll('NAME', model);
		const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}`, 'anthropic-version': '2023-06-01' };
		return fetch(baseUrl + insertModelName(address), { method: 'POST', headers, body: insertModelName(JSON.stringify(body)) });
	}

	it('is listed for those who ask for it by name only if requests for it are answered', async () => {
		const getGatewayJson = async ({ baseUrl, apiKey }: TextGateway, address: string) => {
			const response = await fetch(baseUrl + address, { headers: { authorization: `Bearer ${apiKey}` } });
			return [response.status, ((await response.json()) as { id?: string; name?: string }).id];
		};
		const offline = await startGateway();
		assert.deepEqual(await getGatewayJson(offline, '/v1/models/gpt-4o-mini'), [200, 'gpt-4o-mini']);
		assert.equal((await getGatewayJson(offline, '/v1beta/models/gemini-x'))[0], 200);
		assert.equal((await getGatewayJson(offline, '/v1/models/agent/hidden'))[0], 404);
		const routed = await startGateway(...routes, {
			model: 'all-*',
			provider: 'anthropic',
			base_url: 'http://127.0.0.1:9',
			upstream_model: 'one',
		});
		assert.deepEqual(await getGatewayJson(routed, '/v1/models/all-of-them'), [200, 'all-of-them']);
		assert.equal((await getGatewayJson(routed, '/v1/models/gpt-4o-mini'))[0], 404);
		assert.equal((await getGatewayJson(routed, '/v1beta/models/gemini-x'))[0], 404);
	});

	for (const [address, body, refusal] of requests) {
		it(`is refused with the list of known names, at ${address}`, async () => {
			const response = await requestModel(await startGateway(...routes), address, body, 'claud-opus');
			assert.equal(response.status, 404);
			const { request_id: _, ...said } = (await response.json()) as Record<string, unknown>;
			assert.deepEqual(said, refusal);
		});

		it(`uses the offline model if there are no routes and reports it in the reply, at ${address}`, async () => {
			const response = await requestModel(await startGateway(), address, body, 'claud-opus');
			assert.equal(response.status, 200);
			assert.equal(response.headers.get('x-agent-workbench-route'), 'none (offline)');
			assert.match(response.headers.get('warning') ?? '', /The offline model replied instead of 'claud-opus'/);
			await response.text();
		});

		it(`uses the offline model under its own name and for a route "*", at ${address}`, async () => {
			const byName = await requestModel(await startGateway(...routes), address, body, 'offline');
			assert.deepEqual([byName.status, byName.headers.get('warning')], [200, null]);
			assert.equal(byName.headers.get('x-agent-workbench-route'), 'none (offline)');
			const byRoute = await requestModel(await startGateway(...routes, { model: '*', provider: 'offline' }), address, body, 'claud-opus');
			assert.equal(byRoute.status, 200);
			assert.equal(byRoute.headers.get('x-agent-workbench-route'), '*');
			assert.match(byRoute.headers.get('warning') ?? '', /The offline model replied/);
		});
	}

	it('fails a node with the same message, and answers it if there are no routes', async () => {
		const request = { model: 'claud-opus', messages: [{ role: 'user' as const, content: 'Hi' }] };
		const collectParts = async (gateway: TextGateway) => {
			let text = '';
			for await (const part of new GatewayTextModels(gateway.generation).streamReply(request, new AbortController().signal)) {
				text += part.type === 'text' ? part.text : '';
			}
			return text;
		};
		await assert.rejects(collectParts(await startGateway(...routes)), { message: listed, reason: 'not-found', status: 404 });
		assert.match(await collectParts(await startGateway()), /offline model/);
	});

	it('appears in the request log and the usage with the requested and the answering model', async () => {
		const gateway = await startGateway();
		await (await requestModel(gateway, '/v1/messages', requests[0]![1], 'claude-logged')).text();
		const getGatewayJson = async (query: string) => {
			const response = await fetch(`${gateway.baseUrl}/v1/agent/${query}`, { headers: { authorization: `Bearer ${gateway.apiKey}` } });
			return ((await response.json()) as { data: Record<string, unknown>[] }).data;
		};
		for (const name of ['claude-logged', 'claude-logged → offline']) {
			const [call] = await getGatewayJson(`text-calls?model=${encodeURIComponent(name)}`);
			assert.deepEqual([call?.['model'], call?.['route'], call?.['provider']], ['claude-logged → offline', 'none (offline)', 'offline']);
		}
		const usage = await getGatewayJson('usage?by=model&from=2000-01-01&to=2999-01-01');
		assert.ok(usage.some(({ name }) => name === 'claude-logged → offline'));
		assert.ok(!usage.some(({ name }) => name === 'claude-logged'));
	});
});
