import assert from 'node:assert/strict';
import net from 'node:net';
import type Dispatcher from 'undici/types/dispatcher';
import { createDispatcher } from '#network/dispatcher.ts';
import { createDispatcherFetch } from '#network/fetchThrough.ts';
import { getServerPort, getServerUrl, listenOnLoopback } from '../../support/services/loopback.ts';

/** Parts of a reply that a hostile service sends, one each 20 ms, and then the last one again and again. */
const drips: Readonly<Record<string, readonly string[]>> = {
	'102 replies': ['HTTP/1.1 102 Processing\r\n\r\n'],
	'103 replies': ['HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
	'single bytes of a status line': ['HTTP/1.1 200 ', 'O'],
	'single bytes of a header': ['HTTP/1.1 200 OK\r\nx-long: ', 'a'],
	'single headers': ['HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'],
	'a 103 reply, then single bytes of a header': ['HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 200 OK\r\nx-long: ', 'a'],
};

/** Starts a server that sends these parts for every request. */
async function startDrippingServer(parts: readonly string[]): Promise<net.Server & AsyncDisposable> {
	const sockets = new Set<net.Socket>();
	const server = net.createServer(socket => {
		sockets.add(socket);
		let sent = 0;
		let timer: NodeJS.Timeout | undefined;
		socket.on('error', () => {});
		socket.once('data', () => {
			timer = setInterval(() => socket.write(parts[Math.min(sent++, parts.length - 1)]!), 20);
		});
		socket.on('close', () => clearInterval(timer));
	});
	await listenOnLoopback(server);
	return Object.assign(server, {
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) {
				socket.destroy();
			}
			server.close();
		},
	});
}

interface RequestParts {
	readonly proxy?: string;
	readonly origin?: string;
	readonly signal?: AbortSignal;
	readonly connectMs?: number;
	readonly headMs?: number;
}

describe('the time limit of a reply', () => {
	let dispatcher: Dispatcher | undefined;
	afterEach(async () => {
		await dispatcher?.destroy();
		dispatcher = undefined;
	});

	/** Sends a GET and reads its reply, with a limit of 400 ms for connecting, for the head and for each pause. */
	async function request(server: net.Server, parts: RequestParts = {}): Promise<string> {
		const { proxy, origin = getServerUrl(server), signal, connectMs = 400, headMs = 400 } = parts;
		const opened = createDispatcher(new URL(origin), { environment: {}, ...(proxy && { proxy }) }, { connectTimeout: connectMs });
		dispatcher = opened;
		const limits = { headersTimeout: headMs, bodyTimeout: 400 };
		const fetch = createDispatcherFetch((options, handler) => opened.dispatch({ ...options, ...limits }, handler));
		return (await fetch(origin, signal ? { signal } : {})).text();
	}

	for (const [what, parts] of Object.entries(drips)) {
		it(`ends a reply whose head consists of ${what}`, async () => {
			await using server = await startDrippingServer(parts);
			await assert.rejects(request(server), { code: 'UND_ERR_HEADERS_TIMEOUT' });
		}).timeout(4_000);
	}
	const head = 'HTTP/1.1 200 OK\r\n';
	const bodies: Readonly<Record<string, readonly [parts: readonly string[], code: string]>> = {
		'endless headers': [[head, `x-a: ${'b'.repeat(8_000)}\r\n`], 'UND_ERR_HEADERS_OVERFLOW'],
		'fewer bytes than announced': [[`${head}content-length: 100\r\n\r\nhalf`, ''], 'UND_ERR_BODY_TIMEOUT'],
		'more bytes than announced': [
			[`${head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n`, '5\r\nabcde\r\n'],
			'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
		],
		'an endless length of a chunk': [[`${head}transfer-encoding: chunked\r\n\r\n`, '0'], 'UND_ERR_BODY_TIMEOUT'],
		'an endless extension of a chunk': [[`${head}transfer-encoding: chunked\r\n\r\n1;a=`, 'b'], 'UND_ERR_BODY_TIMEOUT'],
		'endless trailers': [[`${head}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x-a: b\r\n'], 'UND_ERR_BODY_TIMEOUT'],
		'endless long trailers': [
			[`${head}transfer-encoding: chunked\r\n\r\n0\r\n`, `x-a: ${'b'.repeat(8_000)}\r\n`],
			'UND_ERR_HEADERS_OVERFLOW',
		],
	};
	for (const [what, [parts, code]] of Object.entries(bodies)) {
		it(`ends a reply with ${what}`, async () => {
			await using server = await startDrippingServer(parts);
			await assert.rejects(request(server), error => {
				const cause = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
				assert.ok(cause.code?.startsWith(code), `${cause.code}: ${cause.message}`);
				return true;
			});
		}).timeout(4_000);
	}
	it('ends a reply that starts with a flood of informational ones before its time limit', async () => {
		await using server = await startDrippingServer(['HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5_000)]);
		await assert.rejects(request(server, { headMs: 60_000 }), { code: 'UND_ERR_HEADERS_OVERFLOW' });
	});
	it('lets a reply arrive after informational ones', async () => {
		const hint = 'HTTP/1.1 103 Early Hints\r\n\r\n';
		await using server = await startDrippingServer([hint, hint, 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', '']);
		assert.equal(await request(server), 'ok');
	});

	/** Servers that get no further while a connection is made: the bytes they send, and the request's way to them. */
	const silences: Readonly<Record<string, { readonly parts: readonly string[]; readonly tls?: true; readonly proxy?: string }>> = {
		'a service that never completes TLS': { parts: [''], tls: true },
		'a service that drips through TLS': { parts: ['\x16', '\x03', '\x03', '\x40', '\0', 'a'], tls: true },
		'a proxy that never replies': { parts: [''], proxy: 'http' },
		'a proxy that drips its reply': { parts: ['HTTP/1.1 200 OK\r\nx-long: ', 'a'], proxy: 'http' },
		'a proxy that sends 103 replies': { parts: ['HTTP/1.1 103 Early Hints\r\n\r\n'], proxy: 'http' },
		'a service behind a proxy that never completes TLS': { parts: ['HTTP/1.1 200 OK\r\n\r\n', ''], proxy: 'http' },
		'a SOCKS proxy that never replies': { parts: [''], proxy: 'socks5' },
	};
	for (const [what, { parts, tls, proxy }] of Object.entries(silences)) {
		it(`ends a connection to ${what}`, async () => {
			await using server = await startDrippingServer(parts);
			const address = `127.0.0.1:${getServerPort(server)}`;
			const way = tls ? { origin: `https://${address}` } : { origin: 'https://service.test', proxy: `${proxy}://${address}` };
			await assert.rejects(request(server, way), /Timeout|Proxy response/i);
		}).timeout(4_000);
	}
	it('ends a connection when it is aborted', async () => {
		await using server = await startDrippingServer(['']);
		const stop = new AbortController();
		server.once('connection', () => stop.abort(new Error('stopped')));
		const way = { origin: `https://127.0.0.1:${getServerPort(server)}`, connectMs: 60_000 };
		await assert.rejects(request(server, { ...way, signal: stop.signal }), /stopped/);
	});
});
