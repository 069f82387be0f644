import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { createJsonResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

describe('model lists', () => {
	let claude: RecordingUpstream;
	let gemini: RecordingUpstream;
	let local: RecordingUpstream;
	let silent: RecordingUpstream;
	let gateway: TextGateway;

	before(async () => {
		[claude, gemini, local, silent] = await Promise.all(
			[1, 2, 3, 4].map(() => new RecordingUpstream().start()) as [
				Promise<RecordingUpstream>,
				Promise<RecordingUpstream>,
				Promise<RecordingUpstream>,
				Promise<RecordingUpstream>,
			],
		);
		claude.answer = createJsonResponse({
			data: [
				{ type: 'model', id: 'claude-a' },
				{ type: 'model', id: 'claude-b' },
				{ type: 'model', id: 'other' },
			],
		});
		gemini.answer = createJsonResponse({ models: [{ name: 'models/gemini-a' }] });
		local.answer = createJsonResponse({ object: 'list', data: [{ id: 'org/llama:8b' }, { id: 'claude-a' }] });
		silent.answer = createJsonResponse('nothing here', 500);
		gateway = await startTextGateway(
			[
				{ model: 'alias', provider: 'anthropic', base_url: claude.baseUrl, upstream_model: 'claude-b' },
				{ model: 'claude-*', provider: 'anthropic', base_url: claude.baseUrl, key: 'A' },
				{ model: 'gemini-*', provider: 'google', base_url: gemini.baseUrl, key: 'G' },
				{ model: 'silent-*', provider: 'anthropic', base_url: silent.baseUrl },
				{ model: '*', provider: 'openai-compatible', base_url: `${local.baseUrl}/v1`, key: 'L' },
			],
			{ A: 'a-key', G: 'g-key', L: 'l-key' },
		);
	});
	after(async () => {
		await gateway.close();
		await Promise.all([claude, gemini, local, silent].map(upstream => upstream.close()));
	});

	const expected = ['alias', 'claude-a', 'claude-b', 'gemini-a', 'org/llama:8b'];

	it('list the models of services behind patterns, each under the route that serves it', async () => {
		const client = new Anthropic({ baseURL: gateway.baseUrl, apiKey: gateway.apiKey, maxRetries: 0 });
		const ids: string[] = [];
		for await (const model of client.models.list()) {
			ids.push(model.id);
		}
		assert.deepEqual(ids, expected);
		assert.equal(claude.last.headers['x-api-key'], 'a-key');
		assert.equal(gemini.last.headers['x-goog-api-key'], 'g-key');
		assert.equal(local.last.headers['authorization'], 'Bearer l-key');
		assert.equal(local.last.url, '/v1/models');
		assert.equal((await client.models.retrieve('org/llama:8b')).id, 'org/llama:8b');
	});

	it("contain the same models for Google's SDK and are fetched once a minute", async () => {
		const client = new GoogleGenAI({ apiKey: gateway.apiKey, httpOptions: { baseUrl: gateway.baseUrl } });
		const names: (string | undefined)[] = [];
		for await (const model of await client.models.list({ config: { pageSize: 2 } })) {
			names.push(model.name);
		}
		assert.deepEqual(
			names,
			expected.map(name => `models/${name}`),
		);
		assert.equal(claude.requests.length, 1);
	});

	it('page backward too and refuse unknown cursors', async () => {
		const getModels = async (query: string) => {
			const headers = { 'x-api-key': gateway.apiKey, 'anthropic-version': '2023-06-01' };
			const response = await fetch(`${gateway.baseUrl}/v1/models?${query}`, { headers });
			return {
				status: response.status,
				...((await response.json()) as { data?: { id: string }[]; has_more?: boolean; first_id?: string; last_id?: string }),
			};
		};
		const page = await getModels('before_id=gemini-a&limit=2');
		assert.deepEqual(
			page.data?.map(({ id }) => id),
			['claude-a', 'claude-b'],
		);
		assert.deepEqual([page.has_more, page.first_id, page.last_id], [true, 'claude-a', 'claude-b']);
		assert.equal((await getModels('before_id=claude-a')).has_more, false);
		assert.equal((await getModels('after_id=org/llama:8b')).data?.length, 0);
		for (const query of ['after_id=nope', 'limit=0', 'limit=1001', 'limit=x']) {
			assert.equal((await getModels(query)).status, 400, query);
		}
	});

	it('are complete and uniform for OpenAI clients, which send no version', async () => {
		const response = await fetch(`${gateway.baseUrl}/v1/models?limit=2`, { headers: { authorization: `Bearer ${gateway.apiKey}` } });
		const list = (await response.json()) as { object: string; data: Record<string, unknown>[]; has_more: boolean };
		assert.equal(list.object, 'list');
		assert.equal(list.has_more, false);
		assert.deepEqual(
			list.data.map(({ id }) => id),
			expected,
		);
		assert.deepEqual(list.data[0], {
			id: 'alias',
			object: 'model',
			type: 'model',
			created: Math.floor(performance.timeOrigin / 1000),
			created_at: new Date(Math.floor(performance.timeOrigin / 1000) * 1000).toISOString(),
			display_name: 'alias',
			owned_by: 'anthropic',
		});
	});
});
