import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { Log } from '#gateway/process/log.ts';
import { Authenticator } from '#gateway/server/auth.ts';
import type { Exchange } from '#gateway/server/exchange.ts';
import { defaultLimits, GatewayServer } from '#gateway/server/server.ts';

describe('GatewayServer', () => {
	let server: GatewayServer;
	let closed: Promise<unknown>;
	let address: AddressInfo;

	/** Serves one path; `closed` resolves when its response has closed. */
	async function servePath(handle: (exchange: Exchange) => void): Promise<void> {
		const log = new Log('json', () => {});
		server = new GatewayServer(new Authenticator('key'), log, { ...defaultLimits, readTimeoutMs: 50 });
		closed = new Promise(resolve => {
			const route = { method: 'GET', path: '/test', group: 'open' } as const;
			server.add([
				{
					...route,
					handle(exchange) {
						exchange.response.once('close', () => resolve(undefined));
						handle(exchange);
					},
				},
			]);
		});
		address = await server.listen('127.0.0.1', 0);
	}

	function sendRequest(): net.Socket {
		const socket = net.connect(address.port, '127.0.0.1');
		socket.on('error', () => {});
		socket.write('GET /test HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
		return socket;
	}

	afterEach(() => server.close(0));

	it("survives an error response that can't be sent, and closes its connection", async () => {
		await servePath(() => {
			throw new ServiceFault(429, 'slow down', { headers: { 'retry-after': 'in a moment\u2026' } });
		});
		const socket = sendRequest();
		await once(socket, 'close');
		await closed;
		const again = sendRequest();
		await once(again, 'close');
	});

	it('disconnects a client that reads nothing of a response', async () => {
		await servePath(exchange => exchange.sendJson(200, 'x'.repeat(64 * 1024 * 1024)));
		const socket = sendRequest().pause();
		await closed;
		socket.destroy();
	});

	it('keeps the connection of a caller that waits for a slow response', async () => {
		const asked = Promise.withResolvers<Exchange>();
		await servePath(asked.resolve);
		const socket = sendRequest();
		const exchange = await asked.promise;
		// longer than a request may take to arrive
		await new Promise(resolve => setTimeout(resolve, 200));
		exchange.sendJson(200, 'late');
		const [chunk] = (await once(socket, 'data')) as [Buffer];
		assert.match(chunk.toString(), /"late"$/);
		socket.destroy();
	});
});
