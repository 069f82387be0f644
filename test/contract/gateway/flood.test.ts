import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { createGreetingAgent, createWaitingAgent } from './agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from './gatewayProcess.ts';

describe('a client that floods the gateway', () => {
	let gateway: GatewayProcess;
	let port: number;
	const sockets: net.Socket[] = [];

	beforeEach(async () => {
		gateway = await startGateway({
			flags: ['--max-concurrent-runs', '1100'],
			agents: { greeter: createGreetingAgent(), waiter: createWaitingAgent(), talker: createWaitingAgent(50_000, 0) },
		});
		port = Number(new URL(gateway.baseUrl).port);
	});
	afterEach(async () => {
		for (const socket of sockets.splice(0)) {
			socket.destroy();
		}
		await cleanUpGateways();
	});

	/** Asserts that other clients can run an agent, read its log and check the health. */
	async function assertOthersServed(): Promise<void> {
		for (let i = 0; i < 5; i++) {
			const { status, json } = await gateway
				.send('POST', '/v1/agent/workflows/draft/run', {
					model: 'greeter',
					inputs: { name: 'x' },
					user: 'other',
					response_mode: 'streaming',
				})
				.then(async answer =>
					answer.text.includes('workflow_finished') ? gateway.send('GET', '/v1/agent/workflows/logs?model=greeter') : answer,
				);
			assert.equal(status, 200);
			assert.equal(json.page, 1);
			assert.equal((await fetch(`${gateway.baseUrl}/healthz`)).status, 200);
		}
	}

	function openConnection(): net.Socket {
		const socket = net.connect(port, '127.0.0.1');
		socket.on('error', () => {});
		sockets.push(socket);
		return socket;
	}

	function formatRunRequest(model: string, inputs = {}): string {
		const body = JSON.stringify({ model, inputs, user: 'flood', response_mode: 'streaming' });
		return `POST /v1/agent/workflows/run HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${gateway.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
	}

	it("doesn't block others with 1,000 idle streams", async () => {
		const opened = Array.from({ length: 1_000 }, async () => {
			const socket = openConnection();
			socket.write(formatRunRequest('waiter'));
			const [chunk] = (await once(socket, 'data')) as [Buffer];
			return String(chunk).startsWith('HTTP/1.1 200');
		});
		assert.ok((await Promise.all(opened)).every(Boolean));
		await assertOthersServed();
	});

	it('closes half-open connections and serves others meanwhile', async () => {
		const ended = Array.from({ length: 300 }, async (_, i) => {
			const socket = openConnection();
			socket.write(
				i % 2 === 0 ? 'POST /v1/agent/workflows/run HTTP/1.1\r\nHost: 127.' : 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ',
			);
			socket.resume();
			await once(socket, 'close');
		});
		await assertOthersServed();
		await Promise.all(ended);
	});

	it('refuses huge bodies without reading them', async () => {
		const statuses = Array.from({ length: 20 }, async () => {
			const request = http.request(`${gateway.baseUrl}/v1/agent/workflows/run`, {
				method: 'POST',
				agent: false,
				headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json', 'content-length': 2 ** 31 },
			});
			request.on('error', () => {});
			request.write(Buffer.alloc(65_536, 0x20));
			const [response] = (await once(request, 'response')) as [http.IncomingMessage];
			request.destroy();
			return response.statusCode;
		});
		assert.deepEqual(new Set(await Promise.all(statuses)), new Set([413]));
		const chunked = http.request(`${gateway.baseUrl}/v1/messages`, {
			method: 'POST',
			agent: false,
			headers: {
				'x-api-key': gateway.apiKey,
				'anthropic-version': '2023-06-01',
				'content-type': 'application/json',
				'transfer-encoding': 'chunked',
			},
		});
		chunked.on('error', () => {});
		const answered = once(chunked, 'response') as Promise<[http.IncomingMessage]>;
		let sent = 0;
		const sendChunk = (): void => {
			while (!chunked.destroyed && chunked.write(Buffer.alloc(2 ** 16, 0x20))) {
				sent += 2 ** 16;
			}
			sent += 2 ** 16;
		};
		chunked.on('drain', sendChunk);
		sendChunk();
		const [response] = await answered;
		chunked.destroy();
		assert.equal(response.statusCode, 413);
		assert.ok(sent > 32 * 2 ** 20);
		await assertOthersServed();
	});

	it('reads the rest of a refused body before it closes, so that the response arrives', async () => {
		const size = 40 * 2 ** 20;
		const socket = net.connect(port, '127.0.0.1');
		sockets.push(socket);
		socket.write(
			`POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${gateway.apiKey}\r\nanthropic-version: 2023-06-01\r\nContent-Length: ${size}\r\nConnection: close\r\n\r\n{`,
		);
		const [head] = (await once(socket, 'data')) as [Buffer];
		assert.match(head.toString(), /^HTTP\/1\.1 413 /);
		await new Promise<void>((resolve, reject) => {
			socket.once('error', reject).once('end', resolve).resume();
			socket.write(Buffer.alloc(size - 1, 0x20));
		});
	});

	it("isn't slowed down or filled up by clients that don't read", async () => {
		for (let i = 0; i < 8; i++) {
			const socket = openConnection();
			socket.write(formatRunRequest('talker'));
			socket.pause();
		}
		await assertOthersServed();
		if (process.platform === 'linux') {
			const memory = Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${gateway.pid}/status`, 'utf8'))?.[1]) / 1024;
			assert.ok(memory < 600, `${Math.round(memory)} MB`);
		}
	});

	it('refuses requests of web pages', async () => {
		const getStatusForHeaders = (headers: Record<string, string>) =>
			new Promise<number | undefined>((resolve, reject) => {
				http.get({ port, path: '/healthz', headers, agent: false }, response => resolve(response.resume().statusCode)).on('error', reject);
			});
		assert.equal(await getStatusForHeaders({ host: 'localhost:1' }), 200);
		assert.equal(await getStatusForHeaders({ host: '[::1]' }), 200);
		for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80', '192.168.1.1']) {
			assert.notEqual(await getStatusForHeaders({ host }), 200, host);
		}
		assert.equal(await getStatusForHeaders({ origin: 'http://localhost' }), 403);
		assert.equal(await getStatusForHeaders({ origin: 'null' }), 403);
		const preflight = await fetch(`${gateway.baseUrl}/v1/messages`, { method: 'OPTIONS' });
		assert.equal(preflight.headers.get('access-control-allow-origin'), null);
	});
});
