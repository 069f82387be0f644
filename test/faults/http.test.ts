import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createGreetingAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { chooseSize } from './support/long.ts';
import { patienceMs } from './support/patience.ts';
import { measureHealthMs, RawClient, readResidentMegabytes } from './support/rawClient.ts';

describe('malformed requests', () => {
	let gateway: GatewayProcess;
	let client: RawClient;

	before(async () => {
		gateway = await startGateway({ agents: { greeter: createGreetingAgent() } });
		client = new RawClient(gateway);
	});
	after(async () => {
		client.closeConnections();
		await cleanUpGateways();
	});

	it('are refused or cut off if their head is hostile, without ending the process', async () => {
		const heads = [
			'GET / HTTP/9.9\r\n\r\n',
			'\0\0\0\0\0\0',
			'GET /healthz HTTP/1.1\r\n\r\n',
			'GET /%zz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
			'GET //evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
			'GET /dify/%zz/v1/info HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
			'GET /v1/agent/workflows/run/%E0%A4%A HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
			`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
			`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
			'POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n',
			'POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
			'POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
			'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
			'OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
			'TRACE / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
			'GET /openapi.json HTTP/1.1\r\nHost: evil.example\r\n\r\n',
			'GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n',
			'GET /openapi.json HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1\r\n\r\n',
			'GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\n\r\n',
		];
		for (const head of heads) {
			const answer = await client.exchangeBytes(head, 500);
			assert.ok(answer === '' || /^HTTP\/1\.1 4\d\d /.test(answer), `${JSON.stringify(head.slice(0, 80))}: ${answer.slice(0, 100)}`);
		}
		await measureHealthMs(gateway);
	});

	it('are refused with 400 at every endpoint if their JSON is deeply nested or not an object', async () => {
		const createNestedBody = (inner: (nested: string) => string) => inner(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
		const model = '"model":"offline"';
		const bodies: [string, string][] = [
			[
				'/v1/agent/workflows/run',
				createNestedBody(x => `{"model":"greeter","user":"u","response_mode":"blocking","inputs":{"name":${x}}}`),
			],
			['/v1/agent/workflows/tasks/x/stop', createNestedBody(x => `{"model":"greeter","user":${x}}`)],
			[
				'/v1/messages',
				createNestedBody(x => `{${model},"max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"x","y":${x}}]}]}`),
			],
			[
				'/v1/messages',
				createNestedBody(x => `{${model},"messages":[{"role":"user","content":"x"}],"tools":[{"name":"t","input_schema":{"x":${x}}}]}`),
			],
			['/v1/messages/count_tokens', createNestedBody(x => `{${model},"messages":${x}}`)],
			['/v1/complete', createNestedBody(x => `{${model},"prompt":"x","max_tokens_to_sample":9,"metadata":{"x":${x}}}`)],
			['/v1beta/models/offline:generateContent', createNestedBody(x => `{"contents":${x}}`)],
			['/v1beta/models/offline:streamGenerateContent', createNestedBody(x => `{"contents":[{"parts":[{"text":"x"}]}],"tools":${x}}`)],
			['/v1beta/models/offline:countTokens', createNestedBody(x => `{"contents":${x}}`)],
		];
		for (const path of new Set(bodies.map(([path]) => path))) {
			bodies.push([path, '[]'], [path, 'null'], [path, '5'], [path, ''], [path, '\u0000'], [path, '{"a":']);
		}
		for (const [path, body] of bodies) {
			const headers = { 'x-api-key': gateway.apiKey, 'anthropic-version': '2023-06-01', 'x-goog-api-key': gateway.apiKey };
			const answer = await gateway.send('POST', path, body, headers);
			assert.equal(answer.status, 400, `${path} ${body.slice(0, 60)}: ${answer.text.slice(0, 200)}`);
		}
	});

	it('are refused if they search for NUL, and other unusual queries succeed or return 400', async () => {
		const searchLogs = (query: string) => gateway.send('GET', `/v1/agent/workflows/logs?model=greeter&${query}`);
		assert.equal((await searchLogs('keyword=%00')).status, 400);
		for (const query of [
			'keyword=%FF%FE',
			'keyword=%22*%5B',
			'keyword=%F0%9F%98%80%D8',
			'page=1e99',
			'limit=%00',
			`keyword=${'a'.repeat(8000)}`,
		]) {
			const { status } = await searchLogs(query);
			assert.ok(status === 200 || status === 400, `${query.slice(0, 40)}: ${status}`);
		}
	});
});

describe('a client that pipelines requests without reading responses', () => {
	let gateway: GatewayProcess;
	let client: RawClient;

	beforeEach(async () => {
		gateway = await startGateway({ agents: { greeter: createGreetingAgent() } });
		client = new RawClient(gateway);
	});
	afterEach(async () => {
		client.closeConnections();
		await cleanUpGateways();
	});

	it('gets its responses in order if there are few', async () => {
		const socket = client.openConnection();
		let answers = '';
		socket.on('data', chunk => {
			answers += chunk.toString();
		});
		for (let i = 0; i < 50; i++) {
			socket.write(client.formatRequest('GET', `/v1/agent/nothing-${i}`));
		}
		socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
		await once(socket, 'close');
		assert.deepEqual(
			[...answers.matchAll(/nothing-(\d+)/g)].map(([, number]) => Number(number)),
			Array.from({ length: 50 }, (_, i) => i),
		);
		assert.match(answers, /agent-workbench-gateway/);
	});

	it('neither fills the memory nor delays others', () =>
		pipelineRequests(client.formatRequest('GET', '/openapi.json'), chooseSize(20, 50), chooseSize(1_000, 5_000)));

	it('uses little memory without a key, with 5,000 requests on each of 100 connections', () =>
		pipelineRequests('GET /v1/agent/agents HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 100, 5_000));

	async function pipelineRequests(request: string, connections: number, count: number): Promise<void> {
		const before = readResidentMegabytes(gateway.pid);
		const requests = Buffer.from(request.repeat(count));
		for (let i = 0; i < connections; i++) {
			const socket = client.openConnection();
			socket.pause();
			socket.write(requests);
		}
		let slowest = 0;
		for (let i = 0; i < 10; i++) {
			slowest = Math.max(slowest, await measureHealthMs(gateway));
		}
		assert.ok(slowest < patienceMs, `the health check took ${Math.round(slowest)} ms`);
		const after = readResidentMegabytes(gateway.pid);
		if (before !== undefined && after !== undefined) {
			assert.ok(after - before < 150, `${Math.round(before)} → ${Math.round(after)} MB`);
		}
	}
});
