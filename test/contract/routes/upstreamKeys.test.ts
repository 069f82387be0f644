import assert from 'node:assert/strict';
import zlib from 'node:zlib';
import { type Answer, createJsonResponse, createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const key = 'sk-up/stream+key=="1"';
const headers = { 'content-type': 'application/json', authorization: 'Bearer the-key-of-this-gateway', 'anthropic-version': '2023-06-01' };
const messages = [{ role: 'user', content: 'Hi' }];
const anthropic = { model: 'anthropic', max_tokens: 9, messages };
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];

/** Forwarded requests and the error body of each protocol. */
const passed: readonly [path: string, body: object, error: (message: string) => object][] = [
	['/v1/messages', anthropic, message => ({ type: 'error', error: { type: 'authentication_error', message } })],
	['/v1/messages/count_tokens', anthropic, message => ({ type: 'error', error: { type: 'authentication_error', message } })],
	['/v1beta/models/google:generateContent', { contents }, message => ({ error: { code: 401, message, status: 'UNAUTHENTICATED' } })],
	['/v1beta/models/google:countTokens', { contents }, message => ({ error: { code: 401, message, status: 'UNAUTHENTICATED' } })],
	['/v1/chat/completions', { model: 'openai', messages }, message => ({ error: { message, type: 'x', param: null, code: null } })],
	['/v1/responses', { model: 'openai', input: 'Hi' }, message => ({ error: { message, type: 'x', param: null, code: null } })],
	['/v1/embeddings', { model: 'openai', input: 'Hi' }, message => ({ error: { message, type: 'x', param: null, code: null } })],
];

const compressions: readonly [encoding: string, create: () => zlib.Gzip | zlib.BrotliCompress][] = [
	['gzip', () => zlib.createGzip()],
	['deflate', () => zlib.createDeflate()],
	['br', () => zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
];

describe('keys of upstreams', () => {
	let upstream: RecordingUpstream;
	let gateway: TextGateway;
	before(async () => {
		upstream = await new RecordingUpstream().start();
		const base_url = upstream.baseUrl;
		gateway = await startTextGateway(
			[
				{ model: 'anthropic', provider: 'anthropic', base_url, key: 'K' },
				{ model: 'google', provider: 'google', base_url, key: 'K' },
				{ model: 'openai', provider: 'openai-compatible', base_url, key: 'K', responses: true },
				{ model: 'placeholder', provider: 'openai-compatible', base_url, key: 'P' },
			],
			{ K: key, P: 'ollama' },
		);
	});
	after(async () => {
		await gateway.close();
		await upstream.close();
	});

	function postRequest(path: string, body: object, signal?: AbortSignal, more: Record<string, string> = {}): Promise<Response> {
		return fetch(gateway.baseUrl + path, {
			method: 'POST',
			headers: { ...headers, ...more },
			body: JSON.stringify(body),
			...(signal && { signal }),
		});
	}

	async function readChunks(path: string, body: object): Promise<readonly string[]> {
		const chunks = [];
		for await (const chunk of (await postRequest(path, body)).body!) {
			chunks.push(Buffer.from(chunk).toString());
		}
		return chunks;
	}

	async function requestReply(path: string, body: object): Promise<{ status: number; text: string; headers: Headers }> {
		const response = await postRequest(path, body);
		return { status: response.status, text: await response.text(), headers: response.headers };
	}

	function assertKeyMasked(text: string): void {
		const forms = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), Buffer.from(key).toString('base64')];
		for (const form of [...forms, forms[2]?.replaceAll('/', '\\/') ?? '']) {
			assert.ok(!text.includes(form), `${form} is in ${text}`);
		}
		assert.match(text, /\[key\]/);
	}

	for (const [path, body, error] of passed) {
		it(`are masked in a refusal of ${path}`, async () => {
			const quoted = `bad key ${key}, ${encodeURIComponent(key)}, ${Buffer.from(key).toString('base64')}`;
			for (const answer of [
				createJsonResponse(error(quoted), 401, { 'x-refused': 'yes' }),
				createJsonResponse(JSON.stringify(error(quoted)).replaceAll('/', '\\/'), 401),
				sendCompressedJson(error(quoted), 401),
				createJsonResponse(`bad key ${key}`, 401),
			]) {
				upstream.answer = answer;
				const reply = await requestReply(path, body);
				assert.equal(reply.status, 401);
				assertKeyMasked(reply.text);
			}
			for (const status of [200, 401]) {
				upstream.answer = createJsonResponse(error('x'), status, { 'x-echo': `Bearer ${key}!`, 'set-cookie': ['a=b', `key=${key}`] });
				const { headers } = await requestReply(path, body);
				assert.equal(headers.get('x-echo'), 'Bearer [key]!');
				assert.deepEqual(headers.getSetCookie(), ['a=b', 'key=[key]']);
			}
		});

		it(`leave a refusal of ${path} without them unchanged`, async () => {
			const bytes = ` ${JSON.stringify(error('bad key'))}\n`;
			upstream.answer = createJsonResponse(bytes, 401);
			assert.equal((await requestReply(path, body)).text, bytes);
		});

		it(`are masked in an error of ${path} with a success status`, async () => {
			const text = JSON.stringify(error(`bad key ${key}`));
			for (const answer of [
				createJsonResponse(text),
				sendCompressedJson(error(`bad key ${key}`), 200),
				sendJsonInParts(['', text.slice(0, 30), text.slice(30)]),
				sendJsonInParts(['\n\n', text]),
				sendChunksTogether([' \n', text.slice(0, 1), text.slice(1)]),
				sendChunksTogether([' '.repeat(65), '\n\t', text]),
				createJsonResponse(' '.repeat(1000) + text),
				sendCompressedJson(`${' '.repeat(1000)}${text}`, 200),
			]) {
				upstream.answer = answer;
				assertKeyMasked((await requestReply(path, body)).text);
			}
		});
	}

	for (const [path, body, error] of [
		['/v1/messages', { ...anthropic, stream: true }, passed[0]![2]],
		['/v1beta/models/google:streamGenerateContent?alt=sse', { contents }, passed[2]![2]],
		['/v1/chat/completions', { model: 'openai', messages, stream: true }, passed[4]![2]],
		[
			'/v1/responses',
			{ model: 'openai', input: 'Hi', stream: true },
			(message: string) => ({ type: 'response.failed', response: { error: { message } } }),
		],
	] as const) {
		for (const pieceSize of [1, 7, 1000]) {
			it(`are masked in an error event of ${path} in chunks of ${pieceSize}`, async () => {
				const ordinary = 'data: {"text":"first"}\r\n\r\ndata: {"text":"second"}\n\n';
				upstream.answer = createStreamResponse(
					`${ordinary}data: ${JSON.stringify(error(`bad key ${key}`))}\n\ndata: [DONE]\n\n`,
					pieceSize,
				);
				const { text } = await requestReply(path, body);
				assertKeyMasked(text);
				assert.ok(text.startsWith(ordinary));
				assert.ok(text.endsWith('data: [DONE]\n\n'));
			});
		}
		it(`are masked in an error event of ${path} that is incomplete or invalid JSON`, async () => {
			upstream.answer = createStreamResponse(`data: {"a":1}\n\nevent: error\ndata: bad key ${key}`, 5);
			assertKeyMasked((await requestReply(path, body)).text);
			upstream.answer = createStreamResponse(`data: {"a":1}\n\ndata: bad key ${key}\n\n`, 5);
			assertKeyMasked((await requestReply(path, body)).text);
		});
	}

	for (const [encoding, create] of compressions) {
		it(`are masked in an error event of a stream compressed with ${encoding}, whose events arrive one by one`, async () => {
			const error = passed[4]![2](`bad key ${key}`);
			const ordinary = 'data: {"text":"first"}\n\n';
			upstream.answer = async (_request, response) => {
				response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': encoding });
				const stream = create();
				stream.pipe(response);
				for (const event of [ordinary, `data: ${JSON.stringify(error)}\n\n`, `data: ${'x'.repeat(3_000_000)}\n\n`]) {
					stream.write(event);
					await flushCompressor(stream);
					await new Promise(resolve => setTimeout(resolve, 50));
				}
				stream.end('data: [DONE]\n\n');
			};
			const chunks = await readChunks('/v1/chat/completions', { model: 'openai', messages, stream: true });
			assert.equal(chunks[0], ordinary);
			assertKeyMasked(chunks.join(''));
			assert.ok(chunks.join('').endsWith('x\n\ndata: [DONE]\n\n'));
		});

		it(`don't delay a list compressed with ${encoding}`, async () => {
			const items = ['[{"a":1}', ',{"a":2}', ',{"a":3}]'];
			const seen = Promise.withResolvers<void>();
			upstream.answer = async (_request, response) => {
				response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
				const stream = create();
				stream.pipe(response);
				stream.write(items[0]);
				await flushCompressor(stream);
				await seen.promise;
				stream.end(items.slice(1).join(''));
			};
			const response = await postRequest('/v1beta/models/google:streamGenerateContent', { contents });
			const reader = response.body!.getReader();
			assert.equal(Buffer.from((await reader.read()).value!).toString(), items[0]);
			seen.resolve();
			assert.equal(Buffer.from((await reader.read()).value!).toString(), items.slice(1).join(''));
		});
	}

	it('end a compressed stream with an error if it breaks off', async () => {
		upstream.answer = async (_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
			const stream = zlib.createGzip();
			stream.pipe(response);
			stream.write('data: {"a":1}\n\n');
			await flushCompressor(stream);
			await new Promise(resolve => setTimeout(resolve, 50));
			response.destroy();
		};
		const { text } = await requestReply('/v1/messages', { ...anthropic, stream: true });
		assert.match(text, /^data: \{"a":1\}\n\nevent: error\ndata: /);
	});

	it('stop reading a compressed stream after its caller disconnects', async () => {
		upstream.answer = async (_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
			const stream = zlib.createGzip();
			stream.pipe(response);
			// much more than any buffer in between
			for (let i = 0; i < 100 && !response.destroyed; i++) {
				stream.write(`data: ${'x'.repeat(1_000_000)}\n\n`);
				await flushCompressor(stream);
			}
			stream.end();
		};
		const stop = new AbortController();
		const response = await postRequest('/v1/messages', { ...anthropic, stream: true }, stop.signal);
		await response.body!.getReader().read();
		stop.abort();
		await upstream.last.closed;
	});

	it('are removed from the retry-after header of a translated refusal', async () => {
		const error = { type: 'error', error: { type: 'rate_limit_error', message: `slow down, ${key}` } };
		for (const [sent, expected] of [
			[`7 ${key}`, null],
			['7.5', '7.5'],
			['Fri, 31 Dec 1999 23:59:59 GMT', 'Fri, 31 Dec 1999 23:59:59 GMT'],
		] as const) {
			upstream.answer = createJsonResponse(error, 429, { 'retry-after': sent });
			const reply = await requestReply('/v1/chat/completions', { model: 'anthropic', messages });
			assert.equal(reply.headers.get('retry-after'), expected);
			assertKeyMasked(reply.text);
		}
	});

	it('are masked in an error within a list, split and compressed in any way', async () => {
		const list = JSON.stringify([{ text: 'a' }, { error: { code: 401, message: `bad key ${key}` } }]);
		for (const answer of [
			createJsonResponse(list),
			sendJsonInParts(list.split(/(?<=.{10})/)),
			sendJsonInParts([list.slice(0, 60), list.slice(60)]),
			sendCompressedJson(list, 200),
		]) {
			upstream.answer = answer;
			const { text } = await requestReply('/v1beta/models/google:streamGenerateContent', { contents });
			assertKeyMasked(text);
			assert.deepEqual(JSON.parse(text), [{ text: 'a' }, { error: { code: 401, message: 'bad key [key]' } }]);
		}
	});

	it('are masked in a successful reply that is text or incomplete JSON', async () => {
		for (const answer of [
			createJsonResponse(`bad key ${key}`, 200, { 'content-type': 'text/plain' }),
			createJsonResponse(`bad key ${key}`),
			createJsonResponse(`{"error":"bad key ${key}`),
			createJsonResponse({ error: { details: 'x'.repeat(100_000), message: `bad key ${key}` } }),
		]) {
			upstream.answer = answer;
			assertKeyMasked((await requestReply('/v1/chat/completions', { model: 'openai', messages })).text);
		}
	});

	it('are masked in an error that breaks off after empty lines', async () => {
		upstream.answer = async (_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			for (const part of ['\n', `{"error":"bad key ${key}`]) {
				response.write(part);
				await new Promise(resolve => setTimeout(resolve, 50));
			}
			response.destroy();
		};
		const reader = (await postRequest('/v1/chat/completions', { model: 'openai', messages })).body!.getReader();
		assert.equal(Buffer.from((await reader.read()).value!).toString(), '\n');
		await assert.rejects(reader.read());
	});

	it('limit upstream requests to encodings that can be searched', async () => {
		upstream.answer = createJsonResponse({});
		for (const [accepted, sent] of [
			['gzip, deflate, zstd;q=1, BR;q=0.5, *', 'gzip, BR;q=0.5'],
			['zstd', 'identity'],
		]) {
			await (await postRequest('/v1/messages', anthropic, undefined, { 'accept-encoding': accepted! })).text();
			assert.equal(upstream.last.headers['accept-encoding'], sent);
		}
	});

	it('are left unmasked in a reply outside of errors', async () => {
		const bytes = `data: {"model":"ollama","text":"${'x'.repeat(100_000)} ollama"}\n\ndata: {"text":"ollama"}\n\ndata: [DONE]\n\n`;
		for (const pieceSize of [1000, 100_000]) {
			upstream.answer = createStreamResponse(bytes, pieceSize);
			assert.ok((await requestReply('/v1/chat/completions', { model: 'placeholder', messages, stream: true })).text === bytes);
		}
		const whole = '{"model":"ollama"}';
		upstream.answer = createJsonResponse(whole);
		assert.equal((await requestReply('/v1/chat/completions', { model: 'placeholder', messages })).text, whole);
	});

	it('leave the bytes of a long, chunked reply unchanged and delay no empty lines', async () => {
		const parts = ['\n', '{"text":"', 'x'.repeat(100_000), `${key.slice(0, 5)}"}`];
		upstream.answer = sendJsonInParts(parts);
		const response = await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
			method: 'POST',
			headers,
			body: JSON.stringify({ model: 'openai', messages }),
		});
		const reader = response.body!.getReader();
		let text = Buffer.from((await reader.read()).value!).toString();
		assert.equal(text, '\n');
		for (let next = await reader.read(); !next.done; next = await reader.read()) {
			text += Buffer.from(next.value).toString();
		}
		assert.equal(text, parts.join(''));
	});

	it("don't delay events of a reply", async () => {
		upstream.answer = async (_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write('data: {"a":1}\n\ndata: {"half"');
			await new Promise(resolve => setTimeout(resolve, 300));
			response.end(':1}\n\n');
		};
		const response = await fetch(`${gateway.baseUrl}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(anthropic) });
		const reader = response.body!.getReader();
		assert.equal(Buffer.from((await reader.read()).value!).toString(), 'data: {"a":1}\n\n');
		assert.equal(Buffer.from((await reader.read()).value!).toString(), 'data: {"half":1}\n\n');
	});
});

function flushCompressor(stream: zlib.Gzip | zlib.BrotliCompress): Promise<void> {
	return new Promise(resolve => stream.flush(() => resolve()));
}

function sendCompressedJson(value: object | string, status: number): Answer {
	return (_request, response) => {
		response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
		response.end(zlib.gzipSync(typeof value === 'string' ? value : JSON.stringify(value)));
	};
}

/** Responds with JSON chunks that the gateway reads together. */
function sendChunksTogether(parts: readonly string[]): Answer {
	return (_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.cork();
		for (const part of parts) {
			response.write(part);
		}
		response.uncork();
		response.end();
	};
}

/** Responds with JSON in parts that are written 50 ms apart. */
function sendJsonInParts(parts: readonly string[]): Answer {
	return async (_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		for (const part of parts) {
			response.write(part);
			await new Promise(resolve => setTimeout(resolve, 50));
		}
		response.end();
	};
}
