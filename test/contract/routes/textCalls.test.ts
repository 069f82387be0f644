import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { formatCalendarDay } from '#base/text/calendarDay.ts';
import type { TextCallBodies, TextCallEntry, TextCallPage, UsageReport } from '#contract/text/textCalls.ts';
import { Log } from '#gateway/process/log.ts';
import { Store } from '#gateway/store/store.ts';
import { GatewayTextModels } from '#gateway/textGeneration/gatewayTextModels.ts';
import type { RouteConfig } from '#models/routeConfig.ts';
import { createJsonResponse, createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const price = { input: 3, output: 15, cached: 0.3, currency: 'EUR' };
const claudeStream = [
	'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"usage":{"input_tokens":100,"cache_read_input_tokens":900,"cache_creation_input_tokens":0,"output_tokens":1}}}\n\n',
	'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"say \\"usage\\": {\\"input_tokens\\": 5}"}}\n\n',
	'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":200}}\n\n',
	'event: message_stop\ndata: {"type":"message_stop"}\n\n',
].join('');
const message = {
	id: 'msg_1',
	type: 'message',
	role: 'assistant',
	model: 'm',
	content: [{ type: 'text', text: 'Hello' }],
	stop_reason: 'end_turn',
	stop_sequence: null,
	usage: { input_tokens: 1000, output_tokens: 200 },
};

describe('calls for text generation', () => {
	let folder: string;
	let store: Store;
	let upstream: RecordingUpstream;
	let gateway: TextGateway;
	const log = new Log('text', () => {});
	const secret = 'sk-upstream-secret';
	const otherSecret = 'sk-of-another-service';

	async function startGateway(routes: readonly Partial<RouteConfig>[], bodies = false): Promise<void> {
		const all = routes.map(
			route => ({ model: 'm', provider: 'anthropic', base_url: upstream.baseUrl, key: 'UP', price, ...route }) as RouteConfig,
		);
		gateway = await startTextGateway(all, { UP: secret, OTHER: otherSecret }, {}, { store, bodies });
	}
	beforeEach(async () => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'text-calls-'));
		store = new Store(folder, 0, log);
		upstream = await new RecordingUpstream().start();
		upstream.answer = createJsonResponse(message);
	});
	afterEach(async () => {
		await gateway.close();
		await store.close();
		await upstream.close();
		fs.rmSync(folder, { recursive: true, force: true });
	});

	const postRequest = (pathName: string, body: unknown, headers: Record<string, string> = {}) =>
		fetch(gateway.baseUrl + pathName, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				authorization: `Bearer ${gateway.apiKey}`,
				'anthropic-version': '2023-06-01',
				'user-agent': 'my-program/1.2 (secret words)',
				...headers,
			},
			body: JSON.stringify(body),
		});
	const messages = [{ role: 'user', content: 'Hi' }];
	const request = { model: 'm', max_tokens: 100, messages };
	async function getJson<T>(pathName: string, method = 'GET'): Promise<T> {
		const response = await fetch(gateway.baseUrl + pathName, { method, headers: { authorization: `Bearer ${gateway.apiKey}` } });
		assert.equal(response.status, 200, await response.clone().text());
		return (await response.json()) as T;
	}
	const fetchCalls = async (query = '') => (await getJson<TextCallPage>(`/v1/agent/text-calls${query}`)).data;
	async function fetchOnlyCall(): Promise<TextCallEntry> {
		const [entry, ...rest] = await fetchCalls();
		assert.ok(entry && rest.length === 0);
		return entry;
	}

	describe('in the request log', () => {
		it('have caller, route, tokens and cost of a forwarded stream', async () => {
			await startGateway([{}]);
			upstream.answer = createStreamResponse(claudeStream, 37);
			assert.equal(await (await postRequest('/v1/messages', { ...request, stream: true })).text(), claudeStream);
			const { id, created_at, elapsed_time, ...entry } = await fetchOnlyCall();
			assert.ok(Number(id) > 0 && created_at > 1_700_000_000 && elapsed_time >= 0);
			assert.deepEqual(entry, {
				endpoint: '/v1/messages',
				model: 'm',
				route: 'm',
				provider: 'anthropic',
				status: 200,
				error: null,
				user: 'my-program/1.2',
				agent: null,
				run_id: null,
				tries: 1,
				cache_hit: false,
				input_tokens: 1000,
				cached_tokens: 900,
				output_tokens: 200,
				cost: 0.00357,
				currency: 'EUR',
			});
		});

		it('have the tokens of compressed and of long replies', async () => {
			await startGateway([{}]);
			for (const [encoding, pack] of [
				['gzip', zlib.gzipSync],
				['br', zlib.brotliCompressSync],
				['deflate', zlib.deflateSync],
			] as const) {
				upstream.answer = (_request, response) => {
					response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
					response.end(pack(JSON.stringify(message)));
				};
				await (await postRequest('/v1/messages', request)).text();
			}
			const filler = `event: content_block_delta\ndata: {"text":"${'x'.repeat(100)}"}\n\n`.repeat(2000);
			upstream.answer = createStreamResponse(claudeStream.replace('event: message_delta', `${filler}event: message_delta`), 3000);
			await (await postRequest('/v1/messages', request)).text();
			assert.deepEqual(
				(await fetchCalls()).map(entry => [entry.input_tokens, entry.output_tokens]),
				[
					[1000, 200],
					[1000, 200],
					[1000, 200],
					[1000, 200],
				],
			);
		});

		it('have the tokens of each protocol', async () => {
			await startGateway([
				{ model: 'gpt', provider: 'openai-compatible' },
				{ model: 'gemini', provider: 'google' },
				{ model: 'responses', provider: 'openai-compatible' },
			]);
			upstream.answer = createJsonResponse({
				choices: [],
				usage: { prompt_tokens: 50, completion_tokens: 6, prompt_tokens_details: { cached_tokens: 20 } },
			});
			await (await postRequest('/v1/chat/completions', { model: 'gpt', messages })).text();
			upstream.answer = createJsonResponse({
				usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 23, thoughtsTokenCount: 185, cachedContentTokenCount: 4 },
			});
			await (await postRequest('/v1beta/models/gemini:generateContent', { contents: [] })).text();
			assert.deepEqual(
				(await fetchCalls()).map(entry => [entry.model, entry.input_tokens, entry.cached_tokens, entry.output_tokens]),
				[
					['gemini', 9, 4, 208],
					['gpt', 50, 20, 6],
				],
			);
		});

		it('include translated and offline ones, whole and streamed', async () => {
			await startGateway([{ model: 'gpt', provider: 'openai-compatible' }]);
			upstream.answer = createJsonResponse({
				choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
				usage: { prompt_tokens: 50, completion_tokens: 6 },
			});
			await (await postRequest('/v1/messages', { ...request, model: 'gpt' })).text();
			await (await postRequest('/v1/messages', { ...request, model: 'offline', stream: true })).text();
			const [offline, translated] = await fetchCalls();
			assert.deepEqual([translated?.input_tokens, translated?.output_tokens, translated?.cost], [50, 6, 0.00024]);
			assert.ok(offline?.provider === 'offline' && (offline.output_tokens ?? 0) > 0 && offline.cost === null && offline.currency === null);
		});

		it('report their error and the number of attempts per route', async () => {
			await startGateway([{ retries: 1 }, { model: 'gone', key: 'NOT-GIVEN' }]);
			upstream.answer = createJsonResponse({ type: 'error', error: { type: 'api_error', message: 'broken' } }, 500, { 'retry-after': '0' });
			await (await postRequest('/v1/messages', request)).text();
			await (await postRequest('/v1/messages', { ...request, model: 'gone' })).text();
			const [gone, broken] = await fetchCalls('?status=failed');
			assert.deepEqual([broken?.status, broken?.tries, broken?.error], [500, 2, 'The service responded with status 500.']);
			assert.ok(gone?.status === 401 && /needs the key 'NOT-GIVEN'/.test(gone.error ?? ''));
			assert.deepEqual(await fetchCalls('?status=succeeded'), []);
		});

		for (const [what, openai, head, rest] of [
			['a stream within an event', false, 'text/event-stream', 'event: ping\ndata: {"type":'],
			['a stream between events', false, 'text/event-stream', 'event: ping\ndata: {"type":"ping"}\n\n'],
			['a whole reply', false, 'application/json', '{"id":'],
			['a translated stream', true, 'text/event-stream', claudeStream.slice(0, 600)],
		] as const) {
			it(`report an upstream failure if it breaks off in the middle of ${what}`, async () => {
				await startGateway([{}]);
				upstream.answer = (_request, response) => {
					response.writeHead(200, { 'content-type': head, ...(head === 'application/json' && { 'content-length': 1000 }) });
					response.write(rest, () => response.destroy());
				};
				const reply = await postRequest(openai ? '/v1/chat/completions' : '/v1/messages', { ...request, stream: true });
				await reply.text().catch(() => undefined);
				let entries = await fetchCalls();
				while (entries.length === 0) {
					entries = await fetchCalls();
				}
				assert.equal(entries[0]?.status, 502);
				assert.match(String(entries[0]?.error), /^The (service at|reply)/);
				assert.ok((await fetchCalls('?status=failed')).length === 1);
			});
		}

		it('report that the caller disconnected', async () => {
			await startGateway([{}]);
			const asked = Promise.withResolvers<void>();
			upstream.answer = () => asked.resolve();
			const controller = new AbortController();
			const reply = fetch(`${gateway.baseUrl}/v1/messages`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', 'x-api-key': gateway.apiKey, 'anthropic-version': '2023-06-01' },
				body: JSON.stringify(request),
				signal: controller.signal,
			});
			await asked.promise;
			controller.abort();
			await assert.rejects(reply);
			await upstream.last.closed;
			let entries = await fetchCalls();
			while (entries.length === 0) {
				entries = await fetchCalls();
			}
			assert.equal(entries[0]?.status, 499);
		});

		it('are listed by page and filtered', async () => {
			await startGateway([{}, { model: 'n' }]);
			for (const model of ['m', 'n', 'm', 'n', 'm']) {
				await (await postRequest('/v1/messages', { ...request, model })).text();
			}
			const first = await getJson<TextCallPage>('/v1/agent/text-calls?model=m&limit=2');
			assert.deepEqual([first.data.length, first.has_more], [2, true]);
			const second = await getJson<TextCallPage>(`/v1/agent/text-calls?model=m&limit=2&last_id=${first.next_id}`);
			assert.equal(second.data.length, 1);
			assert.ok(second.data.every(({ model }) => model === 'm'));
			const [oldest] = second.data;
			const after = new Date((oldest?.created_at ?? 0) * 1000 + 3_600_000).toISOString();
			assert.deepEqual(await fetchCalls(`?created_at__after=${encodeURIComponent(after)}`), []);
			assert.equal((await fetchCalls(`?created_at__before=${encodeURIComponent(after)}`)).length, 5);
		});

		it('are found by a text in any field, and in the request and reply if they are saved', async () => {
			await startGateway([{}], true);
			upstream.answer = createJsonResponse({ ...message, content: [{ type: 'text', text: 'High tide at 100%' }] });
			await (await postRequest('/v1/messages', request)).text();
			const countMatches = async (keyword: string) => (await fetchCalls(`?keyword=${encodeURIComponent(keyword)}`)).length;
			for (const found of ['high TIDE', '100%', '/v1/mess', request.messages[0]?.content as string]) {
				assert.equal(await countMatches(found), 1, found);
			}
			for (const missed of ['low tide', '1%', 'h_gh']) {
				assert.equal(await countMatches(missed), 0, missed);
			}
		});

		it('contain bodies only if that is enabled, and never a key', async () => {
			await startGateway([{}]);
			await (await postRequest('/v1/messages', request)).text();
			assert.deepEqual(await getJson<TextCallBodies>(`/v1/agent/text-calls/${(await fetchOnlyCall()).id}`), { request: null, reply: null });
			await gateway.close();
			await startGateway([{}], true);
			upstream.answer = createJsonResponse({ ...message, content: [{ type: 'text', text: `it is ${secret}` }] });
			await (await postRequest('/v1/messages', request)).text();
			const [newest] = await fetchCalls();
			const bodies = await getJson<TextCallBodies>(`/v1/agent/text-calls/${newest?.id}`);
			assert.deepEqual(JSON.parse(bodies.request ?? ''), request);
			assert.match(bodies.reply ?? '', /it is \[key\]/);
		});

		it('contain no key of a failed route and no secret of an agent', async () => {
			await startGateway([{ fallback: ['n'] }, { model: 'n', key: 'OTHER' }], true);
			upstream.answer = (asked, response) => {
				const isFirst = asked.headers['x-api-key'] === secret;
				createJsonResponse(
					isFirst
						? { type: 'error', error: { type: 'api_error', message: 'no' } }
						: { ...message, content: [{ type: 'text', text: secret }] },
					isFirst ? 503 : 200,
				)(asked, response);
			};
			await (await postRequest('/v1/messages', request)).text();
			const [fallen] = await fetchCalls();
			assert.equal(fallen?.route, 'n');
			assert.match((await getJson<TextCallBodies>(`/v1/agent/text-calls/${fallen?.id}`)).reply ?? '', /"text":"\[key\]"/);

			const kept = 'the "agent" keeps this';
			const models = new GatewayTextModels(gateway.generation).bindToRun({ runId: 'r', user: 'u', secrets: [kept] });
			for await (const _ of models.streamReply(
				{ model: 'offline', messages: [{ role: 'user', content: `Say ${kept}` }] },
				new AbortController().signal,
			)) {
				// reads to the end
			}
			const [ofNode] = await fetchCalls();
			const { request: sent, reply } = await getJson<TextCallBodies>(`/v1/agent/text-calls/${ofNode?.id}`);
			assert.match(sent ?? '', /Say \*\*\*/);
			assert.ok(reply && !reply.includes('keeps this'), reply ?? '');
		});

		it('are deleted after the configured number of days, but their totals remain', async () => {
			await startGateway([{}]);
			await (await postRequest('/v1/messages', request)).text();
			await fetchOnlyCall();
			assert.equal(store.textCalls.deleteCallsBefore(Date.now() + 1000, 10), 1);
			assert.deepEqual(await fetchCalls(), []);
			const today = formatCalendarDay(Date.now());
			assert.equal((await getJson<UsageReport>(`/v1/agent/usage?from=2020-01-01&to=${today}`)).data[0]?.calls, 1);
		});
	});

	it('are summed by day, model and agent', async () => {
		await startGateway([{}, { model: 'n', price: { input: 1, output: 1, currency: 'USD' } }]);
		for (const model of ['m', 'm', 'n']) {
			await (await postRequest('/v1/messages', { ...request, model })).text();
		}
		const models = new GatewayTextModels(gateway.generation).bindToRun({ runId: 'r1', user: 'kim', agentName: 'helper' });
		for await (const _ of models.streamReply(
			{ model: 'offline', messages: [{ role: 'user', content: 'Hi' }] },
			new AbortController().signal,
		)) {
			// reads to the end
		}
		const fetchUsage = async (by: string) => (await getJson<UsageReport>(`/v1/agent/usage?from=2020-01-01&to=2999-01-01&by=${by}`)).data;
		assert.deepEqual(
			(await fetchUsage('model')).map(({ name, currency, calls, cost }) => ({ name, currency, calls, cost })),
			[
				{ name: 'm', currency: 'EUR', calls: 2, cost: 0.012 },
				{ name: 'n', currency: 'USD', calls: 1, cost: 0.0012 },
				{ name: 'offline', currency: '', calls: 1, cost: 0 },
			],
		);
		assert.deepEqual((await fetchUsage('agent')).map(({ name, calls }) => [name, calls]).toSorted(), [
			['', 1],
			['', 2],
			['helper', 1],
		]);
		assert.equal(
			(await fetchUsage('day')).reduce((sum, { calls }) => sum + calls, 0),
			4,
		);
		const [node] = await fetchCalls('?agent=helper');
		assert.deepEqual([node?.endpoint, node?.user, node?.run_id], ['node', 'kim', 'r1']);
	});

	describe('with a cache', () => {
		it('return the same reply again, byte for byte and free, whole and streamed', async () => {
			await startGateway([{ cache: true }]);
			for (const [body, answer] of [
				[request, createJsonResponse(message)],
				[{ ...request, stream: true }, createStreamResponse(claudeStream, 100)],
			] as const) {
				upstream.answer = answer;
				const before = upstream.requests.length;
				const first = await postRequest('/v1/messages', body);
				const text = await first.text();
				const second = await postRequest('/v1/messages', body);
				assert.equal(await second.text(), text);
				assert.equal(second.headers.get('content-type'), first.headers.get('content-type'));
				assert.deepEqual(
					[first, second].map(({ headers }) => headers.get('x-agent-workbench-cache')),
					['miss', 'hit'],
				);
				assert.equal(upstream.requests.length, before + 1);
			}
			const [hit] = await fetchCalls();
			assert.deepEqual([hit?.cache_hit, hit?.cost, hit?.input_tokens, hit?.tries], [true, 0, 1000, 0]);
		});

		it('skip the cache for a different request or if it is turned off', async () => {
			await startGateway([{ cache: true }, { model: 'plain' }]);
			const readCacheHeader = async (body: object, headers: Record<string, string> = {}) => {
				const response = await postRequest('/v1/messages', body, headers);
				await response.text();
				return response.headers.get('x-agent-workbench-cache');
			};
			assert.equal(await readCacheHeader(request), 'miss');
			assert.equal(await readCacheHeader({ ...request, temperature: 0.5 }), 'miss');
			assert.equal(await readCacheHeader(request, { 'anthropic-beta': 'other' }), 'miss');
			assert.equal(await readCacheHeader(request, { 'x-agent-workbench-cache': 'off' }), null);
			assert.equal(await readCacheHeader({ ...request, model: 'plain' }), null);
			assert.equal(await readCacheHeader({ ...request, model: 'plain' }, { 'x-agent-workbench-cache': 'on' }), 'miss');
			assert.equal(await readCacheHeader({ ...request, model: 'plain' }, { 'x-agent-workbench-cache': 'on' }), 'hit');
		});

		it('send a request again if a forwarded header differs', async () => {
			await startGateway([{ cache: true }]);
			const requestWithHeaders = async (headers: Record<string, string>) => {
				upstream.answer = createJsonResponse({ ...message, id: JSON.stringify(headers) });
				const response = await postRequest('/v1/messages', request, headers);
				const { id } = (await response.json()) as { id: string };
				return [id, response.headers.get('x-agent-workbench-cache')];
			};
			const alice = '{"x-tenant":"alice"}';
			assert.deepEqual(await requestWithHeaders({ 'x-tenant': 'alice' }), [alice, 'miss']);
			assert.deepEqual(await requestWithHeaders({ 'x-tenant': 'bob' }), ['{"x-tenant":"bob"}', 'miss']);
			assert.deepEqual(await requestWithHeaders({ 'x-tenant': 'alice' }), [alice, 'hit']);
			// the cache key contains no form of the caller's API key
			assert.deepEqual(await requestWithHeaders({ 'x-tenant': 'alice', 'x-api-key': gateway.apiKey }), [alice, 'hit']);
		});

		it("store each response separately, so that a deleted one doesn't come back", async () => {
			await startGateway([{ model: 'm', provider: 'offline', cache: true }]);
			const requestResponse = async (body: object) => {
				const response = await postRequest('/v1/responses', { model: 'm', input: 'Hi', ...body });
				const { id } = (await response.json()) as { id: string };
				return { id, status: response.status, cache: response.headers.get('x-agent-workbench-cache') };
			};
			const first = await requestResponse({});
			await getJson(`/v1/responses/${first.id}`, 'DELETE');
			const second = await requestResponse({});
			assert.notEqual(second.id, first.id);
			assert.deepEqual([first.cache, second.cache], [null, null]);
			await getJson(`/v1/responses/${second.id}`);
			assert.equal((await requestResponse({ previous_response_id: second.id })).status, 200);
			assert.equal((await requestResponse({ previous_response_id: second.id, store: false })).cache, null);
			assert.equal((await requestResponse({ store: false })).cache, 'miss');
			assert.equal((await requestResponse({ store: false })).cache, 'hit');
		});

		it("don't cache failed or interrupted replies or those of another route", async () => {
			await startGateway([{ cache: true, fallback: ['other'] }, { model: 'other' }]);
			const readCacheHeader = async () => {
				const response = await postRequest('/v1/messages', request);
				await response.text().catch(() => {});
				return response.headers.get('x-agent-workbench-cache');
			};
			upstream.answer = (sent, response) => {
				const isFirst = (JSON.parse(sent.body.toString()) as { model: string }).model === 'm';
				return createJsonResponse(isFirst ? {} : message, isFirst ? 503 : 200)(sent, response);
			};
			await readCacheHeader();
			upstream.answer = (_request, response) => {
				response.writeHead(200, { 'content-type': 'text/event-stream' });
				response.write('event: message_start\ndata: {}\n\n');
				setImmediate(() => response.destroy());
			};
			await readCacheHeader();
			upstream.answer = createStreamResponse('event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n');
			await readCacheHeader();
			upstream.answer = createJsonResponse(message);
			assert.equal(await readCacheHeader(), 'miss');
			assert.equal(await readCacheHeader(), 'hit');
		});

		it('list and clear the cache', async () => {
			await startGateway([{ cache: true }]);
			await (await postRequest('/v1/messages', request)).text();
			const size = await getJson<{ entries: number; bytes: number }>('/v1/agent/model-cache');
			assert.ok(size.entries === 1 && size.bytes > 100);
			assert.deepEqual(await getJson('/v1/agent/model-cache', 'DELETE'), size);
			assert.deepEqual(await getJson('/v1/agent/model-cache'), { entries: 0, bytes: 0 });
		});

		it('delete the oldest entries above the limits', async () => {
			const bytes = JSON.stringify(message).length;
			await startGateway([{ cache: { max_age_days: 1, max_megabytes: (bytes * 2.5) / 1_048_576 } }]);
			for (const max_tokens of [1, 2, 3]) {
				await (await postRequest('/v1/messages', { ...request, max_tokens })).text();
			}
			assert.equal((await getJson<{ entries: number }>('/v1/agent/model-cache')).entries, 2);
		});

		it('serve nodes of runs too, with the same chunks and free', async () => {
			await startGateway([{ model: 'gpt', provider: 'openai-compatible' }]);
			upstream.answer = createStreamResponse(
				[
					'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"g","choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"},"finish_reason":null}]}',
					'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"g","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1000,"completion_tokens":200,"total_tokens":1200}}',
					'data: [DONE]',
					'',
				].join('\n\n'),
			);
			const run = { runId: 'r', user: 'u', agentName: 'a', cache: true };
			const readNodeParts = async () => {
				const parts: unknown[] = [];
				const models = new GatewayTextModels(gateway.generation).bindToRun(run);
				for await (const part of models.streamReply(
					{ model: 'gpt', messages: [{ role: 'user', content: 'Hi' }] },
					new AbortController().signal,
				)) {
					parts.push(part);
				}
				return parts;
			};
			const createFinishPart = (totalPrice: string) => ({
				type: 'finish',
				finishReason: 'stop',
				usage: { promptTokens: 1000, completionTokens: 200, totalPrice, currency: 'EUR' },
			});
			assert.deepEqual(await readNodeParts(), [{ type: 'text', text: 'Hello' }, createFinishPart('0.006')]);
			assert.deepEqual(await readNodeParts(), [{ type: 'text', text: 'Hello' }, createFinishPart('0')]);
			assert.equal(upstream.requests.length, 1);
		});
	});

	it('use a fallback for nodes before the first chunk', async () => {
		await startGateway([{ model: 'gpt', provider: 'openai-compatible', fallback: ['offline'] }]);
		upstream.answer = createJsonResponse({ error: { message: 'busy' } }, 503);
		const models = new GatewayTextModels(gateway.generation);
		const kinds: string[] = [];
		for await (const part of models.streamReply(
			{ model: 'gpt', messages: [{ role: 'user', content: 'Hi' }] },
			new AbortController().signal,
		)) {
			kinds.push(part.type);
		}
		assert.deepEqual([kinds[0], kinds.at(-1)], ['text', 'finish']);
		const entry = await fetchOnlyCall();
		assert.deepEqual([entry.provider, entry.tries, entry.status], ['offline', 2, 200]);
	});
});
