import assert from 'node:assert/strict';
import type http from 'node:http';
import { mock } from 'node:test';
import type { RequestReport } from '#client/caller.ts';
import { ServiceClient } from '#client/client.ts';
import { sendEndlessError } from '../../support/services/endlessError.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import { type Answer, collectEvents, FakeService } from './fakeService.ts';

const run = { model: 'translator', inputs: {}, user: 'me' };
const owner = { model: 'translator', user: 'me' };
const finished = `data: ${JSON.stringify({ event: 'workflow_finished', data: { id: 'r', status: 'succeeded' } })}\n\n`;

describe('responses', () => {
	const service = new FakeService();
	let reports: RequestReport[];
	let client: ServiceClient;
	before(() => service.start());
	beforeEach(() => {
		reports = [];
		client = new ServiceClient({
			baseUrl: service.url,
			kind: 'gateway',
			keys: {},
			onRequest: report => reports.push(report),
			network: { timeouts: { idle: 1_000 } },
		});
	});
	afterEach(() => client.close());
	after(() => service.stop());

	it('are read as a run, whatever form their fields have', async () => {
		service.setAnswers({
			json: {
				id: 'r',
				workflow_id: 'w',
				status: 'partial-succeeded',
				inputs: '{"sys.user_id":"me"}',
				outputs: null,
				total_steps: '3',
				total_tokens: 5,
				created_at: 'Thu, 18 Jul 2024 03:17:40 -0000',
				finished_at: 1721272661.5,
				elapsed_time: 1.5,
				exceptions_count: 1,
			},
		});
		const detail = await client.getRun('r', { model: 'translator' });
		assert.deepEqual(detail.inputs, { 'sys.user_id': 'me' });
		assert.equal(detail.outputs, null);
		assert.equal(detail.total_steps, 3);
		assert.equal(detail.created_at, 1721272660);
		assert.equal(detail.finished_at, 1721272661.5);
		assert.equal(detail.status, 'partial-succeeded');
		assert.equal(detail['exceptions_count'], 1);
	});
	it('keep outputs that are text instead of JSON', async () => {
		service.setAnswers({ json: { id: 'r', inputs: {}, outputs: 'plain', created_at: 1 } });
		assert.deepEqual((await client.getRun('r', { model: 'a' })).outputs, { text: 'plain' });
	});
	it('are refused if nested too deeply for the stack, and JSON inside a text stays text', async () => {
		const deep = `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`;
		service.setAnswers({ type: 'application/json', body: `{"id":"r","outputs":${deep}}` });
		await assert.rejects(
			client.getRun('r', { model: 'a' }),
			/^ServiceError: The response from the service has unexpected content \(status 200\): '/,
		);
		service.setAnswers({ json: { id: 'r', inputs: {}, outputs: deep, created_at: 1 } });
		assert.deepEqual((await client.getRun('r', { model: 'a' })).outputs, { text: deep });
	});
	it('are refused if parsing their values would fill the memory, and JSON inside a text stays text', async () => {
		const many = `[${'{},'.repeat(4_100_000)}{}]`;
		service.setAnswers({ type: 'application/json', body: `{"id":"r","outputs":{"a":${many}}}` });
		await assert.rejects(
			client.getRun('r', { model: 'a' }),
			/^ServiceError: The response from the service has unexpected content \(status 200\): '/,
		);
		service.setAnswers({ json: { id: 'r', inputs: {}, outputs: `{"a":${many}}`, created_at: 1 } });
		assert.deepEqual(Object.keys((await client.getRun('r', { model: 'a' })).outputs ?? {}), ['text']);
	});
	it('of E are read with snake_case and single objects', async () => {
		service.setAnswers({
			json: {
				candidates: { content: { parts: { inline_data: { mime_type: 'image/png', data: 'aa' } } }, finish_reason: 'STOP', odd_field: 1 },
				usage_metadata: { total_token_count: 7 },
			},
		});
		const reply = await client.generateContent('m', { contents: [] });
		assert.deepEqual(reply, {
			candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'aa' } }] }, finishReason: 'STOP', odd_field: 1 }],
			usageMetadata: { totalTokenCount: 7 },
		});
	});
	it('without a body count as success', async () => {
		service.setAnswers({ status: 204, body: '' });
		assert.deepEqual(await client.deleteConversation('c', owner), { result: 'success' });
	});
	it("use the event: line as an event's name if its data has none", async () => {
		service.setAnswers({ body: `event: node_started\ndata: {"data":{}}\n\n${finished}` });
		const [first] = await collectEvents(client.streamWorkflow(run));
		assert.equal(first!.event, 'node_started');
	});

	it('with JSON of another form fail in the same way', async () => {
		service.setAnswers({ json: { ok: true } });
		const message = /The response from the service has unexpected content \(status 200\): '\{"ok":true\}'/;
		const pageRequest = { model: 'a', user: 'me' };
		for (const operation of [
			() => client.runWorkflow(run),
			() => client.runDraft(run),
			() => client.listLogs({ model: 'a' }),
			() => client.listConversations(pageRequest),
			() => client.listChatMessages({ ...pageRequest, conversation_id: 'c' }),
			() => client.listAgents(),
			() => client.listMessagesModels(),
		]) {
			await assert.rejects(operation(), { name: 'ServiceError', reason: 'protocol', status: 200, message });
		}
		service.setAnswers({ json: { data: [null] } });
		await assert.rejects(client.listAgents(), { name: 'ServiceError', reason: 'protocol' });
		service.setAnswers({ json: { candidates: [null] } });
		await assert.rejects(client.generateContent('m', { contents: [] }), { name: 'ServiceError', reason: 'protocol' });
	});
	it("are received with passwords in base URL and proxy that aren't percent-encoded", async () => {
		const other = new ServiceClient({
			baseUrl: service.url.replace('//', '//me:50%25%@'),
			kind: 'gateway',
			keys: {},
			network: { environment: { HTTP_PROXY: 'http://me:100%@proxy.test' } },
		});
		service.setAnswers({ json: { data: [] } });
		assert.deepEqual(await other.listAgents(), []);
		await other.close();
	});
	it("continues immediately after a message that isn't an event", async () => {
		service.setAnswers({ body: `data: \n\ndata: ${JSON.stringify({ event: 'node_started' })}\n\ndata: [DONE]\n\n${finished}` });
		assert.deepEqual(
			(await collectEvents(client.streamWorkflow(run))).map(({ event }) => event),
			['node_started', 'workflow_finished'],
		);
		service.setAnswers((_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write(`data: ${JSON.stringify({ event: 'a' })}\n\ndata: [DONE]\n\ndata: ${JSON.stringify({ event: 'b' })}\n\n`);
		});
		const stream = client.streamWorkflow(run);
		const [first, second] = [await stream.next(), await stream.next()];
		assert.deepEqual([first.value?.event, second.value?.event], ['a', 'b']);
		await stream.return?.();
	});
	it('fails if the service switches to another protocol', async () => {
		service.setAnswers((request, _response) => {
			request.socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
		});
		await assert.rejects(client.listAgents(), { name: 'ServiceError', reason: 'protocol' });
	});

	it('contain all pages of logs', async () => {
		const createPage = (numbers: number[], has_more: boolean): Answer => ({
			json: { page: 1, limit: 2, total: 3, has_more, data: numbers.map(id => ({ id: `${id}`, created_at: id, workflow_run: {} })) },
		});
		service.setAnswers(createPage([1, 2], true), createPage([3], false));
		const logs = await collectEvents(client.iterateLogs({ model: 'a', limit: 2 }));
		assert.deepEqual(
			logs.map(log => log.id),
			['1', '2', '3'],
		);
		assert.match(service.requests[1]!.url, /page=2&limit=2/);
	});
	it('contain all conversations, each page starting after the last of the previous one', async () => {
		const page = (ids: string[], has_more: boolean): Answer => ({
			json: { limit: 2, has_more, data: ids.map(id => ({ id, created_at: '12' })) },
		});
		service.setAnswers(page(['a', 'b'], true), page(['c'], false));
		const all = await collectEvents(client.iterateConversations(owner));
		assert.deepEqual(
			all.map(({ id, created_at }) => [id, created_at]),
			[
				['a', 12],
				['b', 12],
				['c', 12],
			],
		);
		assert.match(service.requests[1]!.url, /last_id=b/);
	});
	it('end a refusal with an endless body, of a request and of a stream', async () => {
		service.setAnswers(sendEndlessError);
		const expected = { reason: 'overloaded', status: 503 };
		await assert.rejects(client.getRun('r', { model: 'a' }), expected);
		await assert.rejects(collectEvents(client.streamWorkflow(run)), expected);
	});
	it('end if their body arrives byte by byte, except for a stream', async () => {
		const timers: NodeJS.Timeout[] = [];
		const sendDrip = (status: number) => (_request: unknown, response: http.ServerResponse) => {
			response.writeHead(status, { 'content-type': 'text/event-stream' });
			timers.push(setInterval(() => response.write('a'), 10));
		};
		const hasty = new ServiceClient({ baseUrl: service.url, kind: 'gateway', keys: {}, network: { timeouts: { work: 100, idle: 100 } } });
		try {
			for (const status of [200, 400]) {
				service.setAnswers(sendDrip(status));
				await assert.rejects(hasty.runWorkflow(run), { reason: 'timeout', code: 'UND_ERR_BODY_TIMEOUT' });
			}
			await assert.rejects(collectEvents(hasty.streamWorkflow(run)), { reason: 'timeout', code: 'UND_ERR_BODY_TIMEOUT' });
			service.setAnswers((_request, response) => {
				let left = 20;
				response.writeHead(200, { 'content-type': 'text/event-stream' });
				timers.push(setInterval(() => (left-- > 0 ? response.write(':') : response.end(`\n${finished}`)), 10));
			});
			assert.equal((await collectEvents(hasty.streamWorkflow(run))).length, 1);
		} finally {
			timers.forEach(clearInterval);
			await hasty.close();
		}
	});
	it('end if their body stops, long before the time limit of work', async () => {
		service.setAnswers((_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
			response.write('{');
		});
		const hasty = new ServiceClient({ baseUrl: service.url, kind: 'gateway', keys: {}, network: { timeouts: { reply: 100 } } });
		try {
			await assert.rejects(hasty.stopRun('t', owner), { reason: 'timeout', code: 'UND_ERR_BODY_TIMEOUT' });
		} finally {
			await hasty.close();
		}
	});
	it('end a list whose service always says "more"', async () => {
		const one: Answer = { json: { has_more: true, limit: 1, data: [{ id: 'a', created_at: 1, workflow_run: {} }] } };
		const other: Answer = { json: { has_more: true, limit: 1, data: [{ id: 'b', created_at: 1, workflow_run: {} }] } };
		for (const iterateList of [
			() => client.iterateConversations(owner),
			() => client.iterateChatMessages({ ...owner, conversation_id: 'c' }),
			() => client.iterateLogs({ model: 'a' }),
		]) {
			const lists: readonly [answers: Answer[], length: number, asked: number][] = [
				[[one], 1, 2],
				[[one, other, one], 2, 3],
				[[one, { json: { has_more: true, data: [] } }], 1, 2],
			];
			for (const [answers, length, asked] of lists) {
				service.setAnswers(...answers);
				assert.equal((await collectEvents<unknown>(iterateList())).length, length);
				assert.equal(service.requests.length, asked);
			}
		}
	});
	it('end a list of models whose service repeats its pages', async () => {
		const createPage = (id: string): Answer => ({
			json: { data: [{ id }], has_more: true, last_id: id, models: [{ name: id }], nextPageToken: id },
		});
		service.setAnswers(createPage('a'), createPage('b'), createPage('a'));
		assert.equal((await client.listMessagesModels()).length, 2);
		service.setAnswers(createPage('a'), createPage('b'), createPage('a'));
		assert.equal((await client.listContentModels()).length, 2);
	});

	it('retries a failing GET no sooner than the service allows', async () => {
		const busy: Answer = { status: 503, headers: { 'retry-after-ms': '30' }, json: { code: 'x', message: 'busy', status: 503 } };
		service.setAnswers(busy, busy, { json: { data: [] } });
		const before = performance.now();
		assert.deepEqual(await client.listAgents(), []);
		assert.ok(performance.now() - before >= 60);
		assert.deepEqual(
			reports.map(({ status, error }) => [status, error?.reason]),
			[
				[503, 'overloaded'],
				[503, 'overloaded'],
				[200, undefined],
			],
		);
	});
	it('fail a GET after three attempts', async () => {
		service.setAnswers({ status: 500, headers: { 'retry-after-ms': '1' }, body: '' });
		await assert.rejects(client.listAgents(), { reason: 'server' });
		assert.equal(service.requests.length, 3);
	});
	it("don't make the client wait longer than a reasonable time", async () => {
		service.setAnswers({ status: 429, headers: { 'retry-after': '3600' }, body: '' });
		await assert.rejects(client.listAgents(), { reason: 'rate-limited', retryAfterMs: 3_600_000 });
		assert.equal(service.requests.length, 1);
	});
	it('never make the client repeat a POST, nor a refused GET', async () => {
		service.setAnswers({ status: 503, headers: { 'retry-after-ms': '1' }, body: '' });
		await assert.rejects(client.runWorkflow(run), { reason: 'overloaded' });
		assert.equal(service.requests.length, 1);
		service.setAnswers((_request, response) => response.destroy());
		await assert.rejects(client.runWorkflow(run), { reason: 'network' });
		assert.equal(service.requests.length, 1);
		service.setAnswers({ status: 404, body: '' });
		await assert.rejects(client.listAgents(), { reason: 'not-found' });
		assert.equal(service.requests.length, 1);
	});

	it('keep the connection open while bytes arrive, and report when none do', async () => {
		service.setAnswers((_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write(': hello\n\n');
			let pings = 0;
			const timer = setInterval(() => {
				response.write('event: ping\n\n');
				if (++pings === 12) {
					clearInterval(timer);
					response.end(finished);
				}
			}, 125);
		});
		assert.equal((await collectEvents(client.streamWorkflow(run))).length, 1);
		service.setAnswers((_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write('data: {"event":"workflow_started"}\n\n');
		});
		await assert.rejects(collectEvents(client.streamWorkflow(run)), { reason: 'timeout', received: 1 });
	});

	it('say once how a run ended, although the service sends other ends after it', async () => {
		const createEnd = (status: string) => `data: {"event":"workflow_finished","workflow_run_id":"r","data":{"status":"${status}"}}\n\n`;
		service.setAnswers((_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			const others = ['data: {"event":"workflow_paused","data":{}}\n\n', 'data: {"event":"error","message":"late"}\n\n'];
			const audio = 'data: {"event":"tts_message","audio":"AA=="}\n\n';
			response.end([createEnd('failed'), createEnd('succeeded'), audio, ...others].join(''));
		});
		const events = await collectEvents(client.streamWorkflow(run));
		assert.deepEqual(
			events.map(({ event, ...fields }) => [event, (fields as { data?: { status?: string } }).data?.status]),
			[
				['workflow_finished', 'failed'],
				['tts_message', undefined],
			],
		);
	});

	it('end after the last event although the service keeps the connection open with pings', async () => {
		let now = 0;
		const clock = mock.method(performance, 'now', () => now);
		try {
			let isClosed = false;
			service.setAnswers((_request, response) => {
				response.writeHead(200, { 'content-type': 'text/event-stream' });
				response.write(finished);
				const timer = setInterval(() => {
					now += 4_000;
					response.write('event: ping\n\ndata: {"event":"ping"}\n\n');
				}, 20);
				response.on('close', () => {
					isClosed = true;
					clearInterval(timer);
				});
			});
			const events = await collectEvents(client.streamWorkflow(run));
			assert.deepEqual([events[0]?.event, events.slice(1).every(({ event }) => event === 'ping')], ['workflow_finished', true]);
			assert.ok(events.length < 10);
			await waitUntil('the connection is closed', () => isClosed);
		} finally {
			clock.mock.restore();
		}
	});

	it('are complete after the last event, however the connection ends', async () => {
		service.setAnswers((_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write(finished, () => response.destroy());
		});
		assert.equal((await collectEvents(client.streamWorkflow(run))).length, 1);
	});

	it('are reported for each request without key, query or body', async () => {
		service.setAnswers({ json: { data: [] }, headers: { 'x-request-id': 'req-9' } });
		await client.listLogs({ model: 'a', keyword: 'private' });
		const [{ durationMs, ...report }] = reports as [RequestReport];
		assert.ok(durationMs >= 0);
		assert.deepEqual(report, {
			operation: 'listLogs',
			method: 'GET',
			path: '/v1/agent/workflows/logs',
			status: 200,
			requestId: 'req-9',
			events: undefined,
			error: undefined,
		});
	});
});
