import assert from 'node:assert/strict';
import http from 'node:http';
import { createJsonResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from './gatewayProcess.ts';

const page = 'http://localhost:3000';
const other = 'http://127.0.0.1:5173';

describe('requests of web pages', () => {
	let upstream: RecordingUpstream;
	let open: GatewayProcess;
	let closed: GatewayProcess;
	before(async () => {
		upstream = await new RecordingUpstream().start();
		upstream.answer = createJsonResponse({ id: 'x' }, 200, {
			'access-control-allow-origin': '*',
			'access-control-allow-credentials': 'true',
			vary: 'X-Up',
		});
		const config = { routes: [{ model: 'm', provider: 'anthropic', base_url: upstream.baseUrl }] };
		[open, closed] = await Promise.all([
			startGateway({ config: { ...config, allowed_origins: [page] }, flags: ['--allow-origin', other] }),
			startGateway({ config }),
		]);
	});
	after(async () => {
		await upstream.close();
		await cleanUpGateways();
	});

	const initialize = {
		jsonrpc: '2.0',
		id: 1,
		method: 'initialize',
		params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'page', version: '1' } },
	};
	const requests: readonly [path: string, body: object | undefined, status: number][] = [
		['/healthz', undefined, 200],
		['/v1/models', undefined, 200],
		['/v1/messages', { model: 'm', max_tokens: 9, messages: [] }, 200],
		['/v1/chat/completions', { model: 'offline', messages: [{ role: 'user', content: 'Hi' }] }, 200],
		['/v1/chat/completions', { model: 'offline', stream: true, messages: [{ role: 'user', content: 'Hi' }] }, 200],
		['/v1/chat/completions', { model: 'nothing', messages: [] }, 404],
		['/nowhere', undefined, 404],
		['/mcp', initialize, 200],
	];

	function requestWithOrigin(
		gateway: GatewayProcess,
		path: string,
		origin: string | undefined,
		body?: object,
		more: http.OutgoingHttpHeaders = {},
		method = body ? 'POST' : 'GET',
	) {
		return new Promise<http.IncomingMessage & { text: string }>((resolve, reject) => {
			const headers = {
				authorization: `Bearer ${gateway.apiKey}`,
				'anthropic-version': '2023-06-01',
				accept: 'application/json, text/event-stream',
				...(body && { 'content-type': 'application/json' }),
				...(origin !== undefined && { origin }),
				...more,
			};
			const request = http.request(gateway.baseUrl + path, { method, headers, agent: false }, async response => {
				let text = '';
				for await (const chunk of response) {
					text += chunk;
				}
				resolve(Object.assign(response, { text }));
			});
			request.on('error', reject);
			request.end(body && JSON.stringify(body));
		});
	}

	const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type' };

	for (const [path, body, status] of requests) {
		it(`may use ${path} from an allowed origin (${status})`, async () => {
			for (const origin of [page, other]) {
				const response = await requestWithOrigin(open, path, origin, body);
				assert.equal(response.statusCode, status, response.text);
				assert.equal(response.headers['access-control-allow-origin'], origin);
				assert.match(response.headers['access-control-expose-headers'] ?? '', /\brequest-id\b.*x-agent-workbench-route.*mcp-session-id/);
				assert.match(response.headers.vary ?? '', /\bOrigin$/);
				assert.equal(response.headers['access-control-allow-credentials'], undefined);
				const before = await requestWithOrigin(open, path, origin, undefined, preflight, 'OPTIONS');
				assert.equal(before.statusCode, 204);
				assert.equal(before.headers['access-control-allow-origin'], origin);
				assert.equal(before.headers['access-control-allow-headers'], 'authorization,content-type');
				assert.equal(before.headers['access-control-allow-methods'], 'GET, POST, DELETE');
			}
		});

		it(`are refused at ${path} from any other origin (${status})`, async () => {
			for (const [gateway, origin] of [
				[open, 'http://localhost:3001'],
				[open, 'https://localhost:3000'],
				[open, 'http://localhost:3000.evil.example'],
				[open, 'http://LOCALHOST:3000'],
				[open, 'null'],
				[open, ''],
				[closed, page],
				[closed, closed.baseUrl],
			] as const) {
				for (const response of [
					await requestWithOrigin(gateway, path, origin, body),
					await requestWithOrigin(gateway, path, origin, undefined, preflight, 'OPTIONS'),
				]) {
					assert.equal(response.statusCode, 403, `${origin} ${response.text}`);
					assert.equal(response.headers['access-control-allow-origin'], undefined);
				}
			}
		});

		it(`don't affect other programs at ${path} (${status})`, async () => {
			for (const gateway of [open, closed]) {
				const response = await requestWithOrigin(gateway, path, undefined, body);
				assert.equal(response.statusCode, status);
				assert.equal(response.headers['access-control-allow-origin'], undefined);
			}
		});
	}

	it('need the key and a local host name even from an allowed origin', async () => {
		const keyless = await requestWithOrigin(open, '/v1/models', page, undefined, { authorization: 'Bearer wrong' });
		assert.deepEqual([keyless.statusCode, keyless.headers['access-control-allow-origin']], [401, page]);
		for (const method of ['GET', 'OPTIONS']) {
			const rebound = await requestWithOrigin(open, '/v1/models', page, undefined, { host: 'evil.example', ...preflight }, method);
			assert.equal(rebound.statusCode, 403);
		}
	});

	it("aren't forwarded with their origin to services", async () => {
		await requestWithOrigin(open, '/v1/messages', page, { model: 'm', max_tokens: 9, messages: [] }, { referer: `${page}/chat` });
		assert.deepEqual([upstream.last.headers.origin, upstream.last.headers['referer']], [undefined, undefined]);
	});

	it('are allowed only by a complete origin', async () => {
		for (const origin of [
			'*',
			'null',
			'http://localhost:3000/',
			'localhost:3000',
			'http://*.example',
			'https://x.example:443',
			'http://X.example',
		]) {
			await assert.rejects(startGateway({ config: { allowed_origins: [origin] } }), /[Ee]xpected an origin without a path/, origin);
			await assert.rejects(startGateway({ flags: ['--allow-origin', origin] }), /[Ee]xpected an origin without a path/, origin);
		}
	});
});
