import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { createModelAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { waitUntilResponseWritable } from '../contract/recordingUpstream.ts';
import { getServerPort, getServerUrl, listenOnLoopback } from '../support/services/loopback.ts';
import { chooseSize } from './support/long.ts';

const megabyte = 1024 * 1024;
/** More bytes than every limit. At full size, a gateway that kept all bytes would need 4.7 GB of memory. */
const flood = chooseSize(40, 1500) * megabyte;
const key = 'k-upstream-9f8e7d6c';

type Attack = (response: http.ServerResponse) => Promise<void> | void;

/** Behavior of the upstream, by the requested model. */
const attacks: Readonly<Record<string, Attack>> = {
	'json-bomb': response =>
		writePaddedResponse(response, { 'content-type': 'application/json' }, '{"choices":[{"message":{"content":"', flood),
	'event-bomb': response =>
		writePaddedResponse(response, { 'content-type': 'text/event-stream' }, 'data: {"choices":[{"delta":{"content":"', flood),
	'line-bomb': response => writePaddedResponse(response, { 'content-type': 'text/event-stream' }, '', flood, 'data: x\n'.repeat(8_192)),
	'long-stream': response =>
		writePaddedResponse(
			response,
			{ 'content-type': 'text/event-stream' },
			'',
			flood,
			formatDelta('x'.repeat(1_000)).repeat(60),
			`${last}data: [DONE]\n\n`,
		),
	'stream-for-json': response =>
		writePaddedResponse(response, { 'content-type': 'text/event-stream' }, '', flood, `data: ${'x'.repeat(1000)}\n\n`),
	'error-bomb': response =>
		writePaddedResponse(response, { status: 429, 'content-type': 'application/json' }, '{"error":{"message":"', flood),
	'endless-text': response =>
		writePaddedResponse(response, { 'content-type': 'text/event-stream' }, '', Number.POSITIVE_INFINITY, formatDelta('x'.repeat(60_000))),
	'claude-flood': response =>
		writePaddedResponse(response, { 'content-type': 'application/json' }, '{"text":"', flood, 'x'.repeat(65_536), '"}'),
	switching: response => void response.socket?.write('HTTP/1.1 101 Switching Protocols\r\n\r\nand on'),
	'claude-switching': response => void response.socket?.write('HTTP/1.1 101 Switching Protocols\r\n\r\nand on'),
	'no-status': response => void response.socket?.end('HTTP/1.1 999 Whatever\r\ncontent-length: 2\r\n\r\n{}'),
	'bad-headers': response =>
		void response.socket?.end(
			`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-odd: größer 節\r\nretry-after: 節\r\n\r\n${formatDelta('fine')}${last}data: [DONE]\n\n`,
		),
	'bad-retry': response =>
		void response.socket?.end('HTTP/1.1 429 No\r\ncontent-type: application/json\r\nretry-after: 節\r\ncontent-length: 2\r\n\r\n{}'),
	'control-headers': response => void response.socket?.end(`HTTP/1.1 200 OK\r\nx-odd: \u0001\r\n\r\n${formatDelta('no')}`),
	'claude-control-headers': response => void response.socket?.end(`HTTP/1.1 200 OK\r\nx-odd: \u0001\r\n\r\n{}`),
	redirect: response => void response.writeHead(307, { location: `http://localhost:${elsewhere.port}/taken` }).end(),
	'claude-redirect': response => void response.writeHead(307, { location: `http://localhost:${elsewhere.port}/taken` }).end(),
	cut: response =>
		void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(formatDelta('half'), () => response.destroy()),
	stall: () => {},
};
const elsewhere = { port: 0, requests: 0 };

function formatDelta(text: string): string {
	return `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: text } }] })}\n\n`;
}
const last = `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`;

/** Writes a head, then this many bytes of filling as fast as they are read, then an end. */
async function writePaddedResponse(
	response: http.ServerResponse,
	{ status = 200, ...headers }: { status?: number; 'content-type': string },
	begin: string,
	bytes: number,
	filling = 'x'.repeat(65_536),
	end = '',
): Promise<void> {
	response.writeHead(status, headers);
	response.write(begin);
	for (let sent = 0; sent < bytes && !response.destroyed; sent += filling.length) {
		if (!response.write(filling)) {
			await waitUntilResponseWritable(response);
		}
	}
	response.end(end);
}

describe('an upstream that sends false data, floods, stalls and disconnects', () => {
	let gateway: GatewayProcess;
	let config: object;
	let closed: Promise<unknown> = Promise.resolve();
	const upstream = http.createServer(async (request, response) => {
		closed = once(response, 'close');
		let body = '';
		for await (const chunk of request) {
			body += chunk;
		}
		if (request.method === 'GET') {
			await writePaddedResponse(response, { 'content-type': 'application/json' }, '{"data":[{"id":"', flood);
			return;
		}
		const { model } = JSON.parse(body) as { model: string };
		await attacks[model]?.(response);
	});
	const other = net.createServer(socket => {
		elsewhere.requests++;
		socket.destroy();
	});

	before(async () => {
		await listenOnLoopback(upstream, other);
		elsewhere.port = getServerPort(other);
		const base = getServerUrl(upstream);
		config = {
			routes: [
				{ model: 'claude-*', provider: 'anthropic', base_url: base, key: 'UP' },
				{ model: '*', provider: 'openai-compatible', base_url: base, key: 'UP' },
			],
			agents: { remote: { dify: { base_url: base, key: 'UP' } } },
		};
		gateway = await startGateway({ config, keys: { UP: key }, agents: { asker: createModelAgent('endless-text') } });
	});
	after(async () => {
		upstream.closeAllConnections();
		upstream.close();
		other.close();
		await cleanUpGateways();
	});
	afterEach(() => {
		assert.ok(readPeakMegabytes(gateway.pid) < 700, `${readPeakMegabytes(gateway.pid)} MB at most`);
		assert.ok(!gateway.getLog().includes(key));
	});

	const requestMessage = (model: string, stream = false) =>
		gateway.send(
			'POST',
			'/v1/messages',
			{ model, max_tokens: 10, stream, messages: [{ role: 'user', content: 'Hi' }] },
			{ 'x-api-key': gateway.apiKey, 'provider-version': '2023-06-01' },
		);

	it('returns an error if a reply is over the limit', async () => {
		const { status, text } = await requestMessage('json-bomb');
		assert.equal(status, 502);
		assert.match(text, /sent too much data: the reply exceeds the limit of 32\.00 MB/);
	});
	it('returns an error if an event is over the limit', async () => {
		const { status, text } = await requestMessage('event-bomb', true);
		assert.equal(status, 502);
		assert.match(text, /an event of the reply exceeds the limit of 32\.00 MB/);
	});
	it('returns an error if an event has too many lines', async () => {
		const { status, text } = await requestMessage('line-bomb', true);
		assert.equal(status, 502);
		assert.match(text, /an event of the reply exceeds the limit of 65536 lines/);
	});
	it('returns an error if a stream is sent instead of a reply', async () => {
		assert.equal((await requestMessage('stream-for-json')).status, 502);
	});
	it('keeps its error status if the error body is endless', async () => {
		assert.equal((await requestMessage('error-bomb')).status, 429);
	});
	it('is omitted from the list of models if its list is over the limit', async () => {
		const { status, json } = await gateway.send('GET', '/v1/models', undefined, { 'x-api-key': gateway.apiKey });
		assert.equal(status, 200);
		assert.deepEqual(json.data, []);
	});
	it('fails the llm node if its text never ends', async () => {
		const { json } = await gateway.send('POST', '/v1/agent/workflows/draft/run', {
			model: 'asker',
			inputs: {},
			user: 'ana',
			response_mode: 'blocking',
		});
		assert.equal(json.data.status, 'failed');
		assert.match(json.data.error, /The limit is 10000000 characters/);
		await closed;
	});
	it('returns an error if the details of a Dify run are over the limit', async () => {
		const { status, json } = await gateway.send('GET', '/v1/agent/workflows/run/r?model=remote');
		assert.equal(status, 502);
		assert.match(json.message, /The response from .* is too large/);
	});
	it('passes all data through if nothing is translated', async () => {
		assert.ok((await readReply(gateway, 'claude-flood', false)) > flood);
	});
	it('streams a long translated reply without keeping it in memory', async () => {
		// the heap is too small for the whole reply
		const limited = await startGateway({
			config,
			keys: { UP: key },
			env: { NODE_OPTIONS: '--max-old-space-size=64 --max-semi-space-size=4' },
		});
		assert.ok((await readReply(limited, 'long-stream', true)) > flood / 2);
		assert.ok(readPeakMegabytes(limited.pid) < 300, `${readPeakMegabytes(limited.pid)} MB at most`);
	});
	it("returns an error if it switches protocols or doesn't speak HTTP", async () => {
		for (const model of ['switching', 'claude-switching', 'no-status', 'control-headers', 'claude-control-headers']) {
			assert.equal((await requestMessage(model)).status, 502, model);
		}
	});
	it("can send headers that aren't ASCII", async () => {
		const { status, text } = await requestMessage('bad-headers', true);
		assert.equal(status, 200);
		assert.match(text, /"text":"fine"[\s\S]*message_stop/);
		assert.equal((await requestMessage('bad-retry')).status, 429);
	});
	it('gets no key at the target of a redirect', async () => {
		for (const model of ['redirect', 'claude-redirect']) {
			assert.equal((await requestMessage(model)).status, 502, model);
		}
		assert.equal(elsewhere.requests, 0);
	});
	it('disconnects during a reply, and the caller gets an error event', async () => {
		assert.match((await requestMessage('cut', true)).text, /"half"[\s\S]*event: error/);
	});
	it('is aborted with its caller if it stalls', async () => {
		const caller = new AbortController();
		const request = fetch(`${gateway.baseUrl}/v1/messages`, {
			method: 'POST',
			headers: { 'x-api-key': gateway.apiKey, 'provider-version': '2023-06-01', 'content-type': 'application/json' },
			body: JSON.stringify({ model: 'stall', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] }),
			signal: caller.signal,
		}).catch(() => {});
		await once(upstream, 'request');
		caller.abort();
		await Promise.all([request, closed]);
	});
});

/** Requests a message and reads it to its end; returns its size in bytes. */
async function readReply(gateway: GatewayProcess, model: string, stream: boolean): Promise<number> {
	const response = await fetch(`${gateway.baseUrl}/v1/messages`, {
		method: 'POST',
		headers: { 'x-api-key': gateway.apiKey, 'provider-version': '2023-06-01', 'content-type': 'application/json' },
		body: JSON.stringify({ model, max_tokens: 1, stream, messages: [{ role: 'user', content: 'Hi' }] }),
	});
	let size = 0;
	for await (const chunk of response.body ?? []) {
		size += chunk.length;
	}
	return size;
}

/** Returns the peak memory of a process. */
function readPeakMegabytes(pid: number): number {
	const file = `/proc/${pid}/status`;
	return fs.existsSync(file) ? Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(file, 'utf8'))?.[1]) / 1024 : 0;
}
