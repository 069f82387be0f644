import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenOnLoopback } from '../../support/services/loopback.ts';
import { createChatAgent, createGreetingAgent } from './agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from './gatewayProcess.ts';

describe('Dify clients with changed base URL and key', () => {
	let gateway: GatewayProcess;
	before(async () => {
		gateway = await startGateway({ agents: { 'my greeter': createGreetingAgent(), chatter: createChatAgent() } });
	});
	after(cleanUpGateways);

	const greet = { inputs: { name: 'Ana' }, user: 'ana' };
	const app = '/dify/my%20greeter/v1';

	it('run a workflow, stream it, read it and list it', async () => {
		const { json } = await gateway.send('POST', `${app}/workflows/run`, { ...greet, response_mode: 'blocking' });
		assert.equal(json.data.outputs.greeting, 'Hello Ana!');
		const stream = await gateway.openStream(`${app}/workflows/run`, { ...greet, response_mode: 'streaming' });
		assert.equal((await stream.readRemainingEvents()).at(-1)?.event, 'workflow_finished');
		assert.equal((await gateway.send('GET', `${app}/workflows/run/${json.workflow_run_id}`)).json.status, 'succeeded');
		assert.equal((await gateway.send('GET', `${app}/workflows/logs?page=1&limit=1`)).json.total, 2);
		const stop = await gateway.send('POST', `${app}/workflows/tasks/${json.task_id}/stop`, { user: 'ana' });
		assert.deepEqual(stop.json, { result: 'success' });
	});

	it("request an agent's input form", async () => {
		const { json } = await gateway.send('GET', `${app}/parameters?user=ana`);
		assert.deepEqual(json.user_input_form[0]['text-input'].variable, 'name');
		assert.equal(json.system_parameters.file_size_limit, 15);
		assert.equal((await gateway.send('GET', `${app}/info`)).json.mode, 'workflow');
		assert.equal((await gateway.send('GET', '/dify/nobody/v1/parameters')).status, 404);
	});

	it('chat, list, rename and delete', async () => {
		const chat = '/dify/chatter/v1';
		const { json } = await gateway.send('POST', `${chat}/chat-messages`, {
			query: 'Hi',
			inputs: {},
			user: 'ana',
			response_mode: 'blocking',
		});
		assert.match(json.answer, /^You said Hi/);
		const id = json.conversation_id;
		assert.equal((await gateway.send('GET', `${chat}/conversations?user=ana`)).json.data[0].id, id);
		assert.equal((await gateway.send('GET', `${chat}/messages?user=ana&conversation_id=${id}`)).json.data.length, 1);
		assert.equal((await gateway.send('POST', `${chat}/conversations/${id}/name`, { name: 'New', user: 'ana' })).json.name, 'New');
		assert.equal((await gateway.send('DELETE', `${chat}/conversations/${id}`, { user: 'ana' })).json.result, 'success');
	});

	it('upload files', async () => {
		const form = new FormData();
		form.set('user', 'ana');
		form.set('file', new Blob(['x']), 'x.txt');
		const response = await fetch(`${gateway.baseUrl}${app}/files/upload`, {
			method: 'POST',
			headers: { authorization: `Bearer ${gateway.apiKey}` },
			body: form,
		});
		assert.equal(response.status, 201);
	});

	it("receive Dify's messages for a missing or wrong key", async () => {
		for (const [authorization, message] of [
			['', "Authorization header must be provided and start with 'Bearer'"],
			['Basic x', "Authorization scheme must be 'Bearer'"],
			['Bearer wrong', 'Access token is invalid'],
		] as const) {
			const { status, json, headers } = await gateway.send('GET', `${app}/info`, undefined, { authorization });
			assert.deepEqual([status, json.code, json.message], [401, 'unauthorized', message]);
			assert.equal(headers.get('www-authenticate'), 'Bearer realm="api"');
		}
	});
});

const appKey = 'app-secret-key-of-dify';

describe('an agent on a Dify deployment', () => {
	let gateway: GatewayProcess;
	let deployment: http.Server;
	/** Requests that the deployment received. */
	let asked: { readonly method: string; readonly url: string; readonly key: string; readonly type: string; readonly body: string }[] = [];

	before(async () => {
		deployment = http.createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const { method = '', url = '', headers } = request;
				const body = Buffer.concat(chunks).toString();
				asked.push({ method, url, key: headers.authorization ?? '', type: headers['content-type'] ?? '', body });
				handleRequest(method, url, body, response);
			});
		});
		await listenOnLoopback(deployment);
		const { port } = deployment.address() as AddressInfo;
		gateway = await startGateway({
			agents: { greeter: createGreetingAgent() },
			config: {
				agents: {
					remote: { dify: { base_url: `http://127.0.0.1:${port}/v1/`, key: 'APP' } },
					keyless: { dify: { base_url: `http://127.0.0.1:${port}/v1`, key: 'NONE' } },
					bare: { dify: { base_url: `http://127.0.0.1:${port}`, key: 'APP' } },
					dead: { dify: { base_url: 'http://127.0.0.1:9/v1', key: 'APP' } },
				},
			},
			keys: { APP: appKey },
		});
	});
	beforeEach(() => {
		asked = [];
	});
	after(async () => {
		deployment.close();
		deployment.closeAllConnections();
		await cleanUpGateways();
	});

	const stream =
		'data: {"event": "workflow_started", "task_id": "t"}\n\nevent: ping\n\ndata: {"event": "workflow_finished", "data": {"status": "succeeded"}}\n\n';

	function handleRequest(method: string, url: string, body: string, response: http.ServerResponse): void {
		const sendJson = (status: number, value: unknown) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
		if (method === 'DELETE') {
			response.writeHead(204).end();
		} else if (body.includes('quote the key') || url.includes('quoting')) {
			const error = `bad key ${appKey}`;
			if (body.includes('refused')) {
				sendJson(401, { code: 'unauthorized', message: error, status: 401 });
			} else if (body.includes('streaming')) {
				const failed = `data: ${JSON.stringify({ event: 'workflow_finished', data: { status: 'failed', error } })}\n\n`;
				response.writeHead(200, { 'content-type': 'text/event-stream' }).end(failed);
			} else {
				sendJson(200, { id: 'r', inputs: {}, data: { error }, status: 'failed', error });
			}
		} else if (url === '/v1/workflows/run' && body.includes('streaming')) {
			response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream);
		} else if (url === '/v1/workflows/run' && body.includes('bad')) {
			sendJson(400, { code: 'invalid_param', message: 'name is required in input form', status: 400 });
		} else if (url.startsWith('/v1/workflows/run/')) {
			sendJson(200, { id: 'r', inputs: { a: 1 }, outputs: {}, status: 'succeeded', created_at: 1705407629, finished_at: null });
		} else {
			sendJson(200, { echo: url });
		}
	}

	it("runs there with the same path without /agent, the app's key and no model", async () => {
		const run = { model: 'remote', inputs: { name: 'Ana' }, user: 'ana', response_mode: 'blocking' };
		assert.equal((await gateway.send('POST', '/v1/agent/workflows/run', run)).json.echo, '/v1/workflows/run');
		const { model: _, ...body } = run;
		assert.equal(asked[0]?.key, 'Bearer app-secret-key-of-dify');
		assert.deepEqual(JSON.parse(asked[0]?.body ?? ''), body);
		const refused = await gateway.send('POST', '/v1/agent/workflows/run', { ...run, inputs: { name: 'bad' } });
		assert.deepEqual([refused.status, refused.json.code], [400, 'invalid_param']);
		assert.ok(!gateway.getLog().includes('app-secret-key-of-dify'));
	});

	it('streams the response byte for byte', async () => {
		const response = await fetch(`${gateway.baseUrl}/v1/agent/workflows/run`, {
			method: 'POST',
			headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
			body: JSON.stringify({ model: 'remote', inputs: {}, user: 'ana', response_mode: 'streaming' }),
		});
		assert.equal(await response.text(), stream);
	});

	it('never exposes its app key, even if errors quote it', async () => {
		for (const response_mode of ['refused', 'streaming', 'blocking']) {
			const response = await fetch(`${gateway.baseUrl}/v1/agent/workflows/run`, {
				method: 'POST',
				headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
				body: JSON.stringify({ model: 'remote', inputs: { name: 'quote the key' }, user: 'ana', response_mode }),
			});
			const text = await response.text();
			assert.ok(text.includes('bad key [key]') && !text.includes(appKey), text);
		}
		const { json } = await gateway.send('GET', '/v1/agent/workflows/run/quoting?model=remote');
		assert.equal(json.error, 'bad key [key]');
	});

	it("answers in the contract's form if Dify's versions differ", async () => {
		const { json } = await gateway.send('GET', '/v1/agent/workflows/run/r?model=remote');
		assert.equal(json.created_at, 'Tue, 16 Jan 2024 12:20:29 -0000');
		assert.equal(json.finished_at, null);
		assert.equal(json.inputs, '{"a":1}');
		const deleted = await gateway.send('DELETE', '/v1/agent/conversations/c', { model: 'remote', user: 'ana' });
		assert.deepEqual([deleted.status, deleted.json], [200, { result: 'success' }]);
	});

	it('forwards logs, conversations, stops and uploads', async () => {
		await gateway.send('GET', '/v1/agent/workflows/logs?model=remote&status=failed&page=2');
		await gateway.send('GET', '/v1/agent/conversations?model=remote&user=ana');
		await gateway.send('POST', '/v1/agent/workflows/tasks/t1/stop', { model: 'remote', user: 'ana' });
		const form = new FormData();
		form.set('user', 'ana');
		form.set('model', 'remote');
		form.set('file', new Blob(['the bytes']), 'x.txt');
		await fetch(`${gateway.baseUrl}/v1/agent/files/upload`, {
			method: 'POST',
			headers: { authorization: `Bearer ${gateway.apiKey}` },
			body: form,
		});
		assert.deepEqual(
			asked.map(({ method, url }) => `${method} ${url}`),
			[
				'GET /v1/workflows/logs?status=failed&page=2',
				'GET /v1/conversations?user=ana',
				'POST /v1/workflows/tasks/t1/stop',
				'POST /v1/files/upload',
			],
		);
		assert.equal(asked[2]?.body, '{"user":"ana"}');
		assert.match(asked[3]?.body ?? '', /filename="x\.txt"[\s\S]*the bytes/);
		assert.match(asked[3]?.type ?? '', /^multipart\/form-data; boundary=/);
	});

	it('is reachable with and without the version in its address', async () => {
		for (const model of ['remote', 'bare']) {
			await gateway.send('GET', `/v1/agent/workflows/run/r1/events?model=${model}&user=ana`);
		}
		await gateway.send('GET', '/v1/agent/parameters?model=bare');
		assert.deepEqual(
			asked.map(({ url }) => url),
			['/v1/workflow/r1/events?user=ana', '/v1/workflow/r1/events?user=ana', '/v1/parameters'],
		);
	});

	it('requests forms and sends answers there', async () => {
		await gateway.send('GET', '/v1/agent/form/human_input/tok?model=remote');
		await gateway.send('POST', '/v1/agent/form/human_input/tok', { model: 'remote', inputs: {}, action: 'ok', user: 'ana' });
		await gateway.send('GET', '/v1/agent/workflow/r1/events?model=remote&user=ana&continue_on_pause=true');
		assert.deepEqual(
			asked.map(({ url }) => url),
			['/v1/form/human_input/tok', '/v1/form/human_input/tok', '/v1/workflow/r1/events?user=ana&continue_on_pause=true'],
		);
		assert.deepEqual(JSON.parse(asked[1]?.body ?? ''), { inputs: {}, action: 'ok', user: 'ana' });
	});

	it('refuses a trigger, which Dify would ignore', async () => {
		const run = { model: 'remote', inputs: {}, user: 'ana', response_mode: 'blocking', trigger: 'hook' };
		const { status, json } = await gateway.send('POST', '/v1/agent/workflows/run', run);
		assert.deepEqual([status, json.params, asked.length], [400, 'trigger', 0]);
	});

	it('refuses local drafts', async () => {
		const run = { model: 'remote', inputs: {}, user: 'ana', response_mode: 'blocking' };
		const { status, json } = await gateway.send('POST', '/v1/agent/workflows/draft/run', run);
		assert.deepEqual([status, json.code], [400, 'app_unavailable']);
		assert.match(json.message, /its draft can't be run here/);
		assert.equal(asked.length, 0);
	});

	it("is listed with its missing settings and doesn't affect other agents", async () => {
		const { json } = await gateway.send('GET', '/v1/agent/agents');
		assert.deepEqual(
			json.data.map((agent: { name: string; mode: string }) => `${agent.name} ${agent.mode}`),
			['bare dify', 'dead dify', 'greeter workflow', 'keyless dify', 'remote dify'],
		);
		const run = { inputs: { name: 'Ana' }, user: 'ana', response_mode: 'blocking' };
		const keyless = await gateway.send('POST', '/v1/agent/workflows/run', { ...run, model: 'keyless' });
		assert.deepEqual([keyless.status, keyless.json.code], [400, 'app_unavailable']);
		const dead = await gateway.send('POST', '/v1/agent/workflows/run', { ...run, model: 'dead' });
		assert.equal(dead.status, 502);
		assert.match(dead.json.message, /Couldn't reach the service at http:\/\/127\.0\.0\.1:9: /);
		assert.equal(
			(await gateway.send('POST', '/v1/agent/workflows/run', { ...run, model: 'greeter' })).json.data.outputs.greeting,
			'Hello Ana!',
		);
		assert.equal(asked.length, 0);
	});
});
