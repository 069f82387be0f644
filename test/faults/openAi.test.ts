import assert from 'node:assert/strict';
import fs from 'node:fs';
import type http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import type { TextCallPage, UsageReport } from '#contract/text/textCalls.ts';
import type { ModelRequest } from '#engine/run/engineTypes.ts';
import { Log } from '#gateway/process/log.ts';
import { Store } from '#gateway/store/store.ts';
import { GatewayTextModels } from '#gateway/textGeneration/gatewayTextModels.ts';
import type { RouteConfig } from '#models/routeConfig.ts';
import { type Answer, createJsonResponse, createStreamResponse, RecordingUpstream } from '../contract/recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../contract/textGateway.ts';

const completion = {
	id: 'c',
	object: 'chat.completion',
	created: 1,
	model: 'm',
	choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
	usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
};
const formatChunk = (delta: object, reason: string | null = null, more: object = {}) =>
	`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: reason }], ...more })}\n\n`;
const wholeStream = `${formatChunk({ role: 'assistant', content: 'Hello' })}${formatChunk({}, 'stop')}data: [DONE]\n\n`;

describe("services with OpenAI's protocol that report false results", () => {
	let folder: string;
	let store: Store;
	let upstream: RecordingUpstream;
	let gateway: TextGateway;
	const price = { input: 3, output: 15, currency: 'EUR' };

	async function startGatewayWithRoutes(route: Partial<RouteConfig> = {}, more: readonly RouteConfig[] = []): Promise<void> {
		const own: RouteConfig = { model: 'm', provider: 'openai-compatible', base_url: upstream.baseUrl, price, ...route };
		gateway = await startTextGateway([own, ...more], {}, {}, { store });
	}
	beforeEach(async () => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'openai-faults-'));
		store = new Store(folder, 0, new Log('text', () => {}));
		upstream = await new RecordingUpstream().start();
		upstream.answer = createJsonResponse(completion);
	});
	afterEach(async () => {
		await gateway.close();
		await store.close();
		await upstream.close();
		fs.rmSync(folder, { recursive: true, force: true });
	});

	const nodeRequest: ModelRequest = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
	const messages = [{ role: 'user', content: 'Hi' }];
	const completeChat = (body: object = {}, headers: Record<string, string> = {}) =>
		fetch(`${gateway.baseUrl}/v1/chat/completions`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.apiKey}`, ...headers },
			body: JSON.stringify({ model: 'm', messages, ...body }),
		});
	const requestStatus = async (body: object = {}) => {
		const response = await completeChat(body);
		await response.text().catch(() => {});
		return { status: response.status, cache: response.headers.get('x-agent-workbench-cache') };
	};
	async function getJson<T>(pathName: string): Promise<T> {
		const response = await fetch(gateway.baseUrl + pathName, { headers: { authorization: `Bearer ${gateway.apiKey}` } });
		assert.equal(response.status, 200, await response.clone().text());
		return (await response.json()) as T;
	}
	const readCalls = async () => (await getJson<TextCallPage>('/v1/agent/text-calls')).data;
	const readUsage = async () => (await getJson<UsageReport>('/v1/agent/usage?from=2000-01-01&to=2999-12-31')).data;

	const lies: Readonly<Record<string, object>> = {
		'fractions of tokens': { prompt_tokens: 12.5, completion_tokens: 0.5 },
		'far too many tokens': { prompt_tokens: 1e308, completion_tokens: 1e308 },
		'token counts above the safe integer range': { prompt_tokens: 2 ** 60, completion_tokens: 2 ** 62 },
		'negative token counts': { prompt_tokens: -1e9, completion_tokens: -5 },
		'more cached tokens than prompt tokens': { prompt_tokens: 5, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 1e6 } },
	};
	for (const [lie, counts] of Object.entries(lies)) {
		it(`report ${lie}: calls before and after stay in the log, and sums stay valid`, async () => {
			await startGatewayWithRoutes({}, [
				{ model: 'translated', provider: 'openai-compatible', base_url: upstream.baseUrl, upstream_model: 'm', price },
			]);
			await requestStatus();
			upstream.answer = createJsonResponse({ ...completion, usage: counts });
			await requestStatus();
			upstream.answer = createStreamResponse(
				`${formatChunk({ role: 'assistant', content: 'Hi' })}${formatChunk({}, 'stop', { usage: counts })}data: [DONE]\n\n`,
			);
			await requestStatus({ stream: true });
			for await (const part of new GatewayTextModels(gateway.generation).streamReply(nodeRequest, new AbortController().signal)) {
				assert.ok(part.type !== 'finish' || (part.usage.promptTokens <= 1e9 && part.usage.promptTokens >= 0), JSON.stringify(part));
			}
			const response = await fetch(`${gateway.baseUrl}/v1/messages`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', 'x-api-key': gateway.apiKey, 'anthropic-version': '2023-06-01' },
				body: JSON.stringify({ model: 'm', max_tokens: 100, messages, stream: true }),
			});
			await response.text();
			upstream.answer = createJsonResponse(completion);
			await requestStatus();
			const kept = await readCalls();
			assert.equal(kept.length, 6);
			for (const { input_tokens: input, output_tokens: output, cached_tokens: cached, cost } of kept) {
				for (const count of [input, output, cached]) {
					assert.ok(count === null || (Number.isSafeInteger(count) && count >= 0), `${count}`);
				}
				assert.ok(cost === null || (Number.isFinite(cost) && cost >= 0), `${cost}`);
			}
			const [row] = await readUsage();
			assert.ok(
				row && row.calls === 6 && row.input_tokens >= 14 && Number.isSafeInteger(row.input_tokens) && row.cost > 0,
				JSON.stringify(row),
			);
		});
	}

	const never: Readonly<Record<string, Answer>> = {
		'an invalid request error': createJsonResponse(
			{ error: { message: 'no', type: 'invalid_request_error', param: null, code: null } },
			400,
		),
		'a rate limit error': createJsonResponse({ error: { message: 'no', type: 'rate_limit_error', param: null, code: null } }, 429),
		'an error with a success status': createJsonResponse({ error: { message: 'no', type: 'server_error', param: null, code: null } }),
		'a stream that ends before its last event': createStreamResponse(formatChunk({ role: 'assistant', content: 'Hel' })),
		'an empty stream': createStreamResponse(''),
		'an error in a stream': createStreamResponse(
			`${formatChunk({ content: 'Hel' })}data: {"error": {"message": "no"}}\n\ndata: [DONE]\n\n`,
		),
		'a compressed stream that ends before its last event': (_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
			response.end(zlib.gzipSync(formatChunk({ role: 'assistant', content: 'Hel' })));
		},
		'incomplete JSON': createJsonResponse('{"id":"c","object":"chat.completion","choices":[{"index":0,"mess'),
	};
	for (const [what, answer] of Object.entries(never)) {
		it(`answer with ${what}: the response isn't served from the cache`, async () => {
			await startGatewayWithRoutes({ cache: true });
			const stream = what.includes('stream');
			upstream.answer = answer;
			await requestStatus({ stream });
			upstream.answer = stream ? createStreamResponse(wholeStream) : createJsonResponse(completion);
			assert.deepEqual(await requestStatus({ stream }), { status: 200, cache: 'miss' });
			assert.deepEqual(await requestStatus({ stream }), { status: 200, cache: 'hit' });
			assert.equal(upstream.requests.length, 2);
		});
	}

	it('get the same request from ten callers: each gets a complete reply, and later ones get one of these from the cache', async () => {
		await startGatewayWithRoutes({ cache: true });
		const all = Promise.withResolvers<void>();
		let made = 0;
		upstream.answer = async (_request, response) => {
			const mine = `${made++}`.repeat(50);
			if (made === 10) {
				all.resolve();
			}
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write(formatChunk({ role: 'assistant', content: mine }));
			await all.promise;
			endStream(response, mine);
		};
		const texts = await Promise.all(Array.from({ length: 10 }, async () => (await completeChat({ stream: true })).text()));
		for (const text of texts) {
			const said = [...text.matchAll(/"content":"(\d+)"/g)].map(([, digits]) => digits);
			assert.equal(said.length, 2, text);
			assert.equal(new Set(said).size, 1);
			assert.ok(text.endsWith('data: [DONE]\n\n'));
		}
		const again = await completeChat({ stream: true });
		assert.equal(again.headers.get('x-agent-workbench-cache'), 'hit');
		assert.ok(texts.includes(await again.text()));
		assert.equal(made, 10);
	});

	it('lose their caller or their cache during a reply: nothing partial is stored', async () => {
		await startGatewayWithRoutes({ cache: true });
		upstream.answer = (_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write(formatChunk({ role: 'assistant', content: 'Hel' }));
		};
		const caller = new AbortController();
		const cut = await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.apiKey}` },
			body: JSON.stringify({ model: 'm', messages, stream: true }),
			signal: caller.signal,
		});
		await cut.body?.getReader().read();
		caller.abort();
		await upstream.last.closed;
		upstream.answer = async (request, response) => {
			store.replies.clear();
			await createStreamResponse(wholeStream)(request, response);
		};
		assert.deepEqual(await requestStatus({ stream: true }), { status: 200, cache: 'miss' });
		assert.deepEqual(await requestStatus({ stream: true }), { status: 200, cache: 'hit' });
	});

	it("all ask for a retry in an hour and are each other's fallbacks: the caller gets an error immediately, and each was called once", async () => {
		await startGatewayWithRoutes({ retries: 3, fallback: ['other', 'm', 'other'] }, [
			{ model: 'other', provider: 'openai-compatible', base_url: upstream.baseUrl, retries: 3, fallback: ['m'] },
		]);
		upstream.answer = createJsonResponse({ error: { message: 'later', type: 'rate_limit_error', param: null, code: null } }, 429, {
			'retry-after': '3600',
		});
		const response = await completeChat();
		assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '3600']);
		assert.equal(upstream.requests.length, 4);
	});
});

/** Sends the rest of a started stream. */
function endStream(response: http.ServerResponse, text: string): void {
	response.write(formatChunk({ content: text }));
	response.end(`${formatChunk({}, 'stop')}data: [DONE]\n\n`);
}
