import assert from 'node:assert/strict';
import { ServiceClient } from '#client/client.ts';
import type { AgentMethods } from '#client/methods/agentMethods.ts';
import type { ServiceKind } from '#contract/serviceKinds.ts';
import { FakeService, type SeenRequest } from './fakeService.ts';

type Method = keyof AgentMethods;
const keys = { agent: 'k-agent', messages: 'k-messages', content: 'k content+&' };
const run = { model: 'translator', inputs: { a: 1 }, user: 'me' };
const owner = { model: 'translator', user: 'me' };
const message = { model: 'm', messages: [{ role: 'user' as const, content: 'x' }] };
const prompt = { model: 'm', prompt: '\n\nHuman: x\n\nAssistant:', max_tokens_to_sample: 9 };
const content = { contents: { parts: { text: 'x' } } };

describe('requests', () => {
	const service = new FakeService();
	const clients: ServiceClient[] = [];
	const createClient = (kind: ServiceKind, path = '', headers = {}) => {
		const client = new ServiceClient({ baseUrl: service.url + path, kind, keys, headers });
		clients.push(client);
		return client;
	};
	before(() => service.start());
	beforeEach(() => service.setAnswers({ json: { data: [], models: [], has_more: false } }));
	afterEach(async () => {
		await Promise.all(clients.splice(0).map(client => client.close()));
	});
	after(() => service.stop());

	/** Sends a request and returns it as it was received. The response doesn't matter here. */
	async function captureRequest(send: (client: ServiceClient) => unknown, client: ServiceClient): Promise<SeenRequest> {
		const result = send(client) as Promise<unknown> | AsyncIterableIterator<unknown>;
		await ('next' in result ? result.next() : result).catch(() => {});
		return service.requests.at(-1)!;
	}

	const everyKind: [ServiceKind, string, (client: ServiceClient) => unknown, string][] = [
		['gateway', 'A1', c => c.runWorkflow(run), 'POST /v1/agent/workflows/run'],
		['gateway', 'A2', c => c.getRun('r/1', { model: 'a b' }), 'GET /v1/agent/workflows/run/r%2F1?model=a+b'],
		['gateway', 'A3', c => c.stopRun('t', owner), 'POST /v1/agent/workflows/tasks/t/stop'],
		[
			'gateway',
			'A4',
			c => c.listLogs({ model: 'a', status: 'failed' }),
			'GET /v1/agent/workflows/logs?model=a&status=failed&page=1&limit=20',
		],
		['gateway', 'B1', c => c.deleteConversation('c', owner), 'DELETE /v1/agent/conversations/c'],
		['gateway', 'B2', c => c.listConversations(owner), 'GET /v1/agent/conversations?model=translator&user=me&limit=20&sort_by=-updated_at'],
		['gateway', 'B3', c => c.renameConversation('c', { ...owner, name: 'n' }), 'POST /v1/agent/conversations/c/name'],
		['gateway', 'C1', c => c.createMessage(message), 'POST /v1/messages'],
		['gateway', 'D1', c => c.createCompletion(prompt), 'POST /v1/complete'],
		['gateway', 'E1', c => c.generateContent('models/m', content), 'POST /v1beta/models/m:generateContent?key=k+content%2B%26'],
		[
			'gateway',
			'E2',
			c => c.streamGenerateContent('m/x', content),
			'POST /v1beta/models/m%2Fx:streamGenerateContent?alt=sse&key=k+content%2B%26',
		],
		['dify', 'A1', c => c.runWorkflow(run), 'POST /v1/workflows/run'],
		['dify', 'A2', c => c.getRun('r', { model: 'a' }), 'GET /v1/workflows/run/r'],
		['dify', 'A3', c => c.stopRun('t', owner), 'POST /v1/workflows/tasks/t/stop'],
		['dify', 'A4', c => c.listLogs({ model: 'a', keyword: 'k' }), 'GET /v1/workflows/logs?keyword=k&page=1&limit=20'],
		['dify', 'B1', c => c.deleteConversation('c', owner), 'DELETE /v1/conversations/c'],
		['dify', 'B2', c => c.listConversations(owner), 'GET /v1/conversations?user=me&limit=20&sort_by=-updated_at'],
		['dify', 'B3', c => c.renameConversation('c', { ...owner, auto_generate: true }), 'POST /v1/conversations/c/name'],
		['dify', 'upload', c => c.uploadFile({ name: 'a.txt', data: Buffer.from('x') }, owner), 'POST /v1/files/upload'],
		['anthropic', 'C1', c => c.createMessage(message), 'POST /v1/messages'],
		['anthropic', 'D1', c => c.createCompletion(prompt), 'POST /v1/complete'],
		['anthropic-compatible', 'C1', c => c.streamMessage(message), 'POST /v1/messages'],
		['gemini', 'E1', c => c.generateContent('m', content), 'POST /v1beta/models/m:generateContent'],
		['gemini', 'E2', c => c.streamGenerateContent('m', content), 'POST /v1beta/models/m:streamGenerateContent?alt=sse'],
	];
	for (const [kind, operation, send, line] of everyKind) {
		it(`${operation} to ${kind} is sent as ${line}`, async () => {
			const { method, url } = await captureRequest(send, createClient(kind));
			assert.equal(`${method} ${url}`, line);
		});
	}

	it('keep the path of the base URL, and contain its version once', async () => {
		assert.equal((await captureRequest(c => c.runWorkflow(run), createClient('dify', '/v1'))).url, '/v1/workflows/run');
		assert.equal((await captureRequest(c => c.runWorkflow(run), createClient('dify', '/dify/v1/'))).url, '/dify/v1/workflows/run');
		assert.equal(
			(await captureRequest(c => c.createMessage(message), createClient('anthropic-compatible', '/anthropic'))).url,
			'/anthropic/v1/messages',
		);
		assert.equal(
			(await captureRequest(c => c.generateContent('m', content), createClient('gemini', '/v1beta'))).url,
			'/v1beta/models/m:generateContent',
		);
	});

	it('contain the credential of their group', async () => {
		const agent = await captureRequest(c => c.runWorkflow(run), createClient('gateway'));
		assert.equal(agent.headers.authorization, 'Bearer k-agent');
		const messages = await captureRequest(c => c.createMessage(message), createClient('gateway'));
		assert.equal(messages.headers['x-api-key'], 'k-messages');
		assert.equal(messages.headers['provider-version'], '2023-06-01');
		assert.equal(messages.headers['anthropic-version'], undefined);
		const anthropic = await captureRequest(c => c.createMessage(message), createClient('anthropic'));
		assert.equal(anthropic.headers['anthropic-version'], '2023-06-01');
		assert.equal(anthropic.headers.authorization, undefined);
		const compatible = await captureRequest(c => c.createMessage(message), createClient('anthropic-compatible'));
		assert.equal(compatible.headers.authorization, 'Bearer k-messages');
		assert.equal(compatible.headers['x-api-key'], 'k-messages');
		const gemini = await captureRequest(c => c.generateContent('m', content), createClient('gemini'));
		assert.equal(gemini.headers['x-goog-api-key'], 'k content+&');
	});

	it("contain the connection's headers, which override the client's", async () => {
		const { headers } = await captureRequest(
			c => c.runWorkflow(run),
			createClient('gateway', '', { 'X-Team': 'seven', Authorization: 'Basic abc' }),
		);
		assert.equal(headers['x-team'], 'seven');
		assert.equal(headers.authorization, 'Basic abc');
	});

	it("omit fields that a service doesn't know, and rename those with another name", async () => {
		assert.deepEqual(JSON.parse((await captureRequest(c => c.runWorkflow(run), createClient('dify'))).body), {
			inputs: { a: 1 },
			user: 'me',
			response_mode: 'blocking',
		});
		const body = { ...message, tool_choices: { type: 'any' } };
		assert.deepEqual(JSON.parse((await captureRequest(c => c.createMessage(body), createClient('anthropic'))).body).tool_choice, {
			type: 'any',
		});
		assert.deepEqual(JSON.parse((await captureRequest(c => c.createMessage(body), createClient('gateway'))).body).tool_choices, {
			type: 'any',
		});
	});

	it('keep unknown fields', async () => {
		const { body } = await captureRequest(c => c.createMessage({ ...message, thinking: { type: 'adaptive' } }), createClient('gateway'));
		assert.deepEqual(JSON.parse(body).thinking, { type: 'adaptive' });
	});

	it('upload bytes as a form', async () => {
		const file = { name: 'a "b"\r\n.bin', data: Buffer.from([0x78, 0x79]), type: 'image/png' };
		const { headers, body } = await captureRequest(c => c.uploadFile(file, owner), createClient('gateway'));
		const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers['content-type']!)![1];
		assert.equal(
			body,
			`--${boundary}\r\nContent-Disposition: form-data; name="user"\r\n\r\nme\r\n` +
				`--${boundary}\r\nContent-Disposition: form-data; name="model"\r\n\r\ntranslator\r\n` +
				`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a %22b%22%0D%0A.bin"\r\nContent-Type: image/png\r\n\r\nxy\r\n--${boundary}--\r\n`,
		);
	});

	const refused: [string, string, RegExp, (client: ServiceClient) => unknown][] = [
		['temperature of C over 1', 'temperature', /from 0 to 1/, c => c.createMessage({ ...message, temperature: 1.5 })],
		['top_p of C at 1', 'top_p', /above 0 and below 1/, c => c.streamMessage({ ...message, top_p: 1 })],
		['top_k of C at 0', 'top_k', /above 0/, c => c.createMessage({ ...message, top_k: 0 })],
		['no messages', 'messages', /1/, c => c.createMessage({ model: 'm', messages: [] })],
		[
			'a role that there is not',
			'messages.0.role',
			/user/,
			c => c.createMessage({ model: 'm', messages: [{ role: 'robot' as 'user', content: '' }] }),
		],
		['max_tokens_to_sample at 1', 'max_tokens_to_sample', /above 1/, c => c.createCompletion({ ...prompt, max_tokens_to_sample: 1 })],
		['temperature of D at 1', 'temperature', /above 0 and below 1/, c => c.streamCompletion({ ...prompt, temperature: 1 })],
		[
			'temperature of E over 2',
			'generationConfig.temperature',
			/from 0 to 2/,
			c => c.generateContent('m', { ...content, generationConfig: { temperature: 3 } }),
		],
		[
			'six stop sequences',
			'generationConfig.stopSequences',
			/at most 5/,
			c => c.generateContent('m', { ...content, generationConfig: { stopSequences: [...'abcdef'] } }),
		],
		['limit of logs over 100', 'limit', /from 1 to 100/, c => c.listLogs({ model: 'a', limit: 101 })],
		['page 0', 'page', /from 1 to/, c => c.listLogs({ model: 'a', page: 0 })],
		['an order that there is not', 'sort_by', /updated_at/, c => c.listConversations({ ...owner, sort_by: 'name' as 'created_at' })],
		['no user', 'user', /./, c => c.runWorkflow({ ...run, user: '' })],
		['no name to rename to', 'name', /expected a name/, c => c.renameConversation('c', { ...owner, name: ' ' })],
		['dots as an ID', 'workflow_id', /expected an ID/, c => c.getRun('..', { model: 'a' })],
		['no ID', 'task_id', /expected an ID/, c => c.stopRun('', owner)],
	];
	for (const [name, field, says, send] of refused) {
		it(`are refused before sending: ${name}`, async () => {
			const result = send(createClient('gateway')) as Promise<unknown> | AsyncIterableIterator<unknown>;
			await assert.rejects('next' in result ? result.next() : result, { reason: 'invalid-request', field, message: says });
			assert.equal(service.requests.length, 0);
		});
	}

	it('are refused if the service has no such endpoint', async () => {
		await assert.rejects(createClient('gemini').runWorkflow(run), {
			reason: 'invalid-request',
			message: /The Gemini API doesn't support this operation/,
		});
		await assert.rejects(createClient('dify').listAgents(), { reason: 'invalid-request' });
	});
	it("are refused if the base URL isn't valid", () => {
		assert.throws(() => new ServiceClient({ baseUrl: 'localhost:3000', kind: 'gateway', keys: {} }), {
			reason: 'invalid-request',
			field: 'baseUrl',
		});
	});

	it('are shown as cURL for every call', async () => {
		const methods: { [M in Method]?: Parameters<AgentMethods[M]> } = {
			streamWorkflow: [run],
			listAgents: [],
			generateContent: ['m', content],
			uploadFile: [{ name: 'f', data: Buffer.alloc(1) }, owner],
		};
		for (const [method, args] of Object.entries(methods)) {
			const command = await (createClient('gateway').formatCurl as (...args: unknown[]) => Promise<string>)(method, ...args);
			assert.match(command, /^curl /);
			assert.doesNotMatch(command, /k-agent|k\+content|k content/);
			assert.match(command, /\$AGENT_WORKBENCH_KEY/);
		}
		assert.equal(service.requests.length, 0);
	});
});
