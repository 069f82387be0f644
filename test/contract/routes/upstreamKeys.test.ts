import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { type Answer, eventStream, json, RecordingUpstream } from '../recordingUpstream.ts';
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

	async function ask(path: string, body: object): Promise<{ status: number; text: string; headers: Headers }> {
		const response = await fetch(gateway.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
		return { status: response.status, text: await response.text(), headers: response.headers };
	}

	function assertMasked(text: string): void {
		const forms = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), Buffer.from(key).toString('base64')];
		for (const form of [...forms, forms[2]?.replaceAll('/', '\\/') ?? '']) {
			assert.ok(!text.includes(form), `${form} is in ${text}`);
		}
		assert.ok(text.includes('[key]'), text);
	}

	for (const [path, body, error] of passed) {
		it(`are masked in a refusal of ${path}`, async () => {
			const quoted = `bad key ${key}, ${encodeURIComponent(key)}, ${Buffer.from(key).toString('base64')}`;
			for (const answer of [
				json(error(quoted), 401, { 'x-refused': 'yes' }),
				json(JSON.stringify(error(quoted)).replaceAll('/', '\\/'), 401),
				zipped(error(quoted), 401),
				json(`bad key ${key}`, 401),
			]) {
				upstream.answer = answer;
				const reply = await ask(path, body);
				assert.equal(reply.status, 401);
				assertMasked(reply.text);
			}
			upstream.answer = json(error('x'), 401, { 'x-echo': `Bearer ${key.replaceAll('"', '')}`, 'x-key': key });
			assert.equal((await ask(path, body)).headers.get('x-key'), '[key]');
		});

		it(`leave a refusal of ${path} without them unchanged`, async () => {
			const bytes = ` ${JSON.stringify(error('bad key'))}\n`;
			upstream.answer = json(bytes, 401);
			assert.equal((await ask(path, body)).text, bytes);
		});

		it(`are masked in an error of ${path} with a success status`, async () => {
			const text = JSON.stringify(error(`bad key ${key}`));
			for (const answer of [
				json(text),
				zipped(error(`bad key ${key}`), 200),
				inParts(['', text.slice(0, 30), text.slice(30)]),
				inParts(['\n\n', text]),
			]) {
				upstream.answer = answer;
				assertMasked((await ask(path, body)).text);
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
				upstream.answer = eventStream(`${ordinary}data: ${JSON.stringify(error(`bad key ${key}`))}\n\ndata: [DONE]\n\n`, pieceSize);
				const { text } = await ask(path, body);
				assertMasked(text);
				assert.ok(text.startsWith(ordinary));
				assert.ok(text.endsWith('data: [DONE]\n\n'));
			});
		}
		it(`are masked in an error event of ${path} that is incomplete or invalid JSON`, async () => {
			upstream.answer = eventStream(`data: {"a":1}\n\nevent: error\ndata: bad key ${key}`, 5);
			assertMasked((await ask(path, body)).text);
			upstream.answer = eventStream(`data: {"a":1}\n\ndata: bad key ${key}\n\n`, 5);
			assertMasked((await ask(path, body)).text);
		});
	}

	it('are left unmasked in a reply outside of errors', async () => {
		const bytes = `data: {"model":"ollama","text":"${'x'.repeat(100_000)} ollama"}\n\ndata: {"text":"ollama"}\n\ndata: [DONE]\n\n`;
		for (const pieceSize of [1000, 100_000]) {
			upstream.answer = eventStream(bytes, pieceSize);
			assert.ok((await ask('/v1/chat/completions', { model: 'placeholder', messages, stream: true })).text === bytes);
		}
		const whole = '{"model":"ollama"}';
		upstream.answer = json(whole);
		assert.equal((await ask('/v1/chat/completions', { model: 'placeholder', messages })).text, whole);
	});

	it('leave the bytes of a long, chunked reply unchanged and delay no empty lines', async () => {
		const parts = ['\n', '{"text":"', 'x'.repeat(100_000), `${key.slice(0, 5)}"}`];
		upstream.answer = inParts(parts);
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

function zipped(value: object, status: number): Answer {
	return (_request, response) => {
		response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
		response.end(gzipSync(JSON.stringify(value)));
	};
}

/** Responds with JSON in parts that are written 50 ms apart. */
function inParts(parts: readonly string[]): Answer {
	return async (_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		for (const part of parts) {
			response.write(part);
			await new Promise(resolve => setTimeout(resolve, 50));
		}
		response.end();
	};
}
