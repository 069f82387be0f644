import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { RequestReport } from '#client/caller.ts';
import { ServiceClient } from '#client/client.ts';
import { ServiceError, type ServiceErrorReason } from '#client/errors/serviceError.ts';
import { type Answer, collectEvents, FakeService } from './fakeService.ts';

/** Stands in for every key. A test fails if any visible text contains it. */
const markerKey = 'sk-MARKER/+=key&100%"secret';
const run = { model: 'translator', inputs: {}, user: 'me' };
const message = { model: 'm', messages: [{ role: 'user' as const, content: 'hello' }] };
const content = { contents: [{ parts: [{ text: 'hello' }] }] };
const formatSse = (...events: object[]) => events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
const echo = `your key ${markerKey} and ${encodeURIComponent(markerKey)}`;

interface Fault {
	readonly name: string;
	readonly answer: Answer;
	readonly reason: ServiceErrorReason;
	readonly code?: string;
	readonly status?: number;
	readonly retryAfterMs?: number;
	readonly received?: number;
	/** The expected message. */
	readonly says?: RegExp;
}

const createJson = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({ status, json: body, headers });
const createDifyResponse = (status: number, code: string, text = 'no') => createJson(status, { code, message: `${text} ${echo}`, status });
const createAnthropicResponse = (status: number, type: string, headers = {}) =>
	createJson(status, { type: 'error', error: { type, message: echo }, request_id: 'req_1' }, headers);
const createGeminiResponse = (status: number, name: string, details: object[] = []) =>
	createJson(status, { error: { code: status, message: echo, status: name, details } });
const cutStream: Answer = (_request, response) => {
	response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
	response.write('{"half":');
	setImmediate(() => response.destroy());
};

/** Errors of any request. */
const faults: readonly Fault[] = [
	{
		name: 'Dify, key refused',
		answer: createDifyResponse(401, 'unauthorized'),
		reason: 'auth',
		code: 'unauthorized',
		status: 401,
		says: /Check the key/,
	},
	{ name: 'Dify, API disabled', answer: createDifyResponse(403, 'forbidden'), reason: 'auth', status: 403 },
	{ name: 'Dify, unknown run', answer: createDifyResponse(404, 'not_found'), reason: 'not-found', code: 'not_found' },
	{
		name: 'Dify, not published',
		answer: createDifyResponse(400, 'invalid_param', 'Workflow not published'),
		reason: 'not-published',
		says: /Publish the agent/,
	},
	{ name: 'gateway, not published', answer: createDifyResponse(400, 'workflow_not_published'), reason: 'not-published' },
	{ name: 'Dify, bad parameter', answer: createDifyResponse(400, 'invalid_param'), reason: 'invalid-request', code: 'invalid_param' },
	{ name: 'Dify, bad field', answer: createJson(400, { code: 'invalid_param', message: 'no', params: echo }), reason: 'invalid-request' },
	{ name: 'Dify, wrong kind of app', answer: createDifyResponse(400, 'not_workflow_app'), reason: 'invalid-request' },
	{ name: 'Dify, too many runs', answer: createDifyResponse(429, 'too_many_requests'), reason: 'rate-limited' },
	{ name: 'Dify, inner fault', answer: createDifyResponse(500, 'internal_server_error'), reason: 'server' },
	{
		name: 'Anthropic, bad key',
		answer: createAnthropicResponse(401, 'authentication_error'),
		reason: 'auth',
		code: 'authentication_error',
	},
	{ name: 'Anthropic, billing', answer: createAnthropicResponse(402, 'billing_error'), reason: 'auth' },
	{ name: 'Anthropic, unknown model', answer: createAnthropicResponse(404, 'not_found_error'), reason: 'not-found' },
	{ name: 'Anthropic, body too large', answer: createAnthropicResponse(413, 'request_too_large'), reason: 'invalid-request' },
	{
		name: 'Anthropic, rate',
		answer: createAnthropicResponse(429, 'rate_limit_error', { 'retry-after': '30' }),
		reason: 'rate-limited',
		retryAfterMs: 30_000,
		says: /in 30 s/,
	},
	{
		name: 'Anthropic, rate in ms',
		answer: createAnthropicResponse(429, 'rate_limit_error', { 'retry-after-ms': '25000' }),
		reason: 'rate-limited',
		retryAfterMs: 25_000,
	},
	...['9'.repeat(400), '31536000', 'Fri, 31 Dec 9999 23:59:59 GMT'].map(value => ({
		name: `a wait of years: ${value.slice(0, 30)}`,
		answer: createAnthropicResponse(429, 'rate_limit_error', { 'retry-after': value }),
		reason: 'rate-limited' as const,
		retryAfterMs: 86_400_000,
		says: /in 86400 s/,
	})),
	...['-5', 'NaN', 'Infinity', '1e9', 'Thu, 01 Jan 1970 00:00:00 GMT', 'soon'].map(value => ({
		name: `a wait that isn't one: ${value}`,
		answer: createAnthropicResponse(429, 'rate_limit_error', { 'retry-after': value, 'retry-after-ms': value }),
		reason: 'rate-limited' as const,
		says: /Try again later\.$/,
	})),
	{ name: 'Anthropic, overloaded', answer: createAnthropicResponse(529, 'overloaded_error'), reason: 'overloaded', status: 529 },
	{
		name: 'Gemini, bad key',
		answer: createGeminiResponse(400, 'INVALID_ARGUMENT', [{ reason: 'API_KEY_INVALID' }]),
		reason: 'auth',
		code: 'API_KEY_INVALID',
	},
	{ name: 'Gemini, bad body', answer: createGeminiResponse(400, 'INVALID_ARGUMENT'), reason: 'invalid-request', code: 'INVALID_ARGUMENT' },
	{ name: 'Gemini, no key', answer: createGeminiResponse(403, 'PERMISSION_DENIED'), reason: 'auth' },
	{
		name: 'Gemini, quota',
		answer: createGeminiResponse(429, 'RESOURCE_EXHAUSTED', [{ retryDelay: '34.07s' }]),
		reason: 'rate-limited',
		retryAfterMs: 34_070,
	},
	{
		name: 'Gemini, a wait of years',
		answer: createGeminiResponse(429, 'RESOURCE_EXHAUSTED', [{ retryDelay: `${'9'.repeat(400)}s` }]),
		reason: 'rate-limited',
		retryAfterMs: 86_400_000,
	},
	{
		name: 'Gemini, error in an array',
		answer: createJson(503, [{ error: { code: 503, message: echo, status: 'UNAVAILABLE' } }]),
		reason: 'overloaded',
	},
	{
		name: 'Ollama, error as text',
		answer: createJson(404, { error: `model not found ${echo}` }),
		reason: 'not-found',
		says: /model not found/,
	},
	{ name: 'vLLM, detail', answer: createJson(422, { detail: [{ loc: ['body'], msg: echo }] }), reason: 'invalid-request' },
	{
		name: 'HTML of a proxy',
		answer: { status: 502, type: 'text/html', body: `<html><title>502 Bad\n Gateway ${markerKey}</title></html>` },
		reason: 'server',
		says: /HTML page, "502 Bad Gateway/,
	},
	{ name: 'plain text', answer: { status: 504, type: 'text/plain', body: `upstream timed out ${markerKey}` }, reason: 'timeout' },
	{ name: 'empty body', answer: { status: 503, type: 'text/plain', body: '' }, reason: 'overloaded', says: /responded with status 503\. / },
	{ name: 'proxy wants a login', answer: { status: 407, type: 'text/html', body: '<html></html>' }, reason: 'network' },
	{
		name: 'redirect',
		answer: { status: 308, headers: { location: `https://other.example/x?key=${encodeURIComponent(markerKey)}` }, body: '' },
		reason: 'protocol',
		says: /redirects to https:\/\/other\.example\/x \(status 308\)/,
	},
	{ name: 'half an answer', answer: cutStream, reason: 'network' },
	{ name: 'no HTTP', answer: (_request, response) => response.socket!.end(`SSH-2.0-OpenSSH ${markerKey}\r\n`), reason: 'protocol' },
];

/** Errors of a complete response that isn't JSON. */
const jsonFaults: readonly Fault[] = [
	{
		name: 'HTML with 200',
		answer: { type: 'text/html', body: `<html>${markerKey}</html>` },
		reason: 'protocol',
		says: /isn't valid JSON/,
	},
	{ name: 'nothing with 200', answer: { body: '' }, reason: 'protocol', says: /sent an empty response \(status 200\)/ },
];

const started = { event: 'workflow_started', task_id: 't', workflow_run_id: 'r', data: { id: 'r' } };
const streamBrokenReply: Answer = (_request, response) => {
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	response.write(formatSse(started));
	setTimeout(() => response.destroy(), 20);
};

/** Errors of a started stream. */
const streamFaults: readonly Fault[] = [
	{
		name: 'an error event',
		answer: { body: formatSse(started, { event: 'error', status: 400, code: 'provider_not_initialize', message: echo }) },
		reason: 'invalid-request',
		code: 'provider_not_initialize',
		received: 2,
	},
	{
		name: 'an error event of a fault inside',
		answer: { body: formatSse({ event: 'error', status: 500, code: 'internal_server_error', message: echo }) },
		reason: 'server',
		received: 1,
	},
	{
		name: 'an end before workflow_finished',
		answer: { body: formatSse(started) },
		reason: 'protocol',
		received: 1,
		says: /after event 1 \(workflow_started\)\. Expected workflow_finished/,
	},
	{
		name: 'an end within an event',
		answer: { body: `${formatSse(started)}data: {"event":"workflow_fin` },
		reason: 'protocol',
		received: 1,
	},
	{ name: 'no event at all', answer: { body: '' }, reason: 'protocol', received: 0 },
	{ name: 'a connection that breaks', answer: streamBrokenReply, reason: 'network', received: 1 },
	{
		name: 'an event that is not JSON',
		answer: { body: `${formatSse(started)}data: {oops ${markerKey}\n\n` },
		reason: 'protocol',
		received: 1,
		says: /Event 2 of the stream isn't valid JSON/,
	},
	{
		name: 'an event that is nested deeper than a stack',
		answer: { body: `${formatSse(started)}data: {"event":"node_finished","data":{"outputs":${'['.repeat(9000)}${']'.repeat(9000)}}}\n\n` },
		reason: 'protocol',
		received: 1,
		says: /Event 2 of the stream is nested too deeply/,
	},
	{
		name: 'an event whose values would fill the memory',
		answer: { body: `${formatSse(started)}data: {"event":"node_finished","data":{"outputs":{"a":[${'{},'.repeat(4_100_000)}{}]}}}\n\n` },
		reason: 'protocol',
		received: 1,
		says: /Event 2 of the stream has unexpected content/,
	},
	{ name: 'an event that is a number', answer: { body: 'data: 7\n\n' }, reason: 'protocol', says: /isn't a JSON object/ },
	{
		name: 'JSON instead of a stream',
		answer: createJson(200, { data: 1 }),
		reason: 'protocol',
		says: /Expected a stream of events from the service, but got application\/json/,
	},
	{
		name: 'an error body with 200',
		answer: createJson(200, { code: 'too_many_requests', message: echo, status: 429 }),
		reason: 'rate-limited',
	},
	{ name: 'HTML instead of a stream', answer: { type: 'text/html', body: '<html></html>' }, reason: 'protocol' },
];

describe('errors of the client', () => {
	const service = new FakeService();
	let reports: RequestReport[];
	let client: ServiceClient;
	before(() => service.start());
	beforeEach(() => {
		reports = [];
		client = new ServiceClient({
			baseUrl: service.url,
			kind: 'gateway',
			keys: { agent: markerKey, messages: markerKey, content: markerKey },
			headers: { 'x-team-token': `Token ${markerKey}` },
			onRequest: report => reports.push(report),
		});
	});
	afterEach(() => client.close());
	after(() => service.stop());

	for (const fault of faults) {
		it(`${fault.name}: ${fault.reason}`, async () => {
			service.setAnswers(fault.answer);
			checkFault(await getFailure(client.createMessage(message)), fault, reports);
			checkFault(await getFailure(collectEvents(client.streamWorkflow(run))), { ...fault, received: undefined as never }, reports);
			checkFault(await getFailure(client.generateContent('m', content)), fault, reports);
		});
	}
	for (const fault of jsonFaults) {
		it(`${fault.name}: ${fault.reason}`, async () => {
			service.setAnswers(fault.answer);
			checkFault(await getFailure(client.createMessage(message)), fault, reports);
		});
	}
	for (const fault of streamFaults) {
		it(`report a run's stream with ${fault.name}: ${fault.reason}`, async () => {
			service.setAnswers(fault.answer);
			checkFault(await getFailure(collectEvents(client.streamWorkflow(run))), fault, reports);
		});
	}

	for (const { name, answer } of [
		{ name: 'a message', answer: (text: string) => createJson(400, { code: 'invalid_param', message: text }) },
		{ name: 'a text as error', answer: (text: string) => createJson(404, { error: text }) },
		{ name: 'an error as an object', answer: (text: string) => createJson(500, { error: { type: 'api_error', message: text } }) },
		{ name: 'a detail', answer: (text: string) => createJson(422, { detail: [text] }) },
		{ name: 'plain text', answer: (text: string): Answer => ({ status: 502, type: 'text/plain', body: text }) },
		{ name: 'the title of a page', answer: (text: string): Answer => ({ status: 502, type: 'text/html', body: `<title>${text}</title>` }) },
		{
			name: 'a title with keys',
			answer: (text: string): Answer => ({ status: 502, type: 'text/html', body: `<title>${(markerKey + text).repeat(3)}` }),
		},
		{ name: 'a body that is not JSON', answer: (text: string): Answer => ({ type: 'text/plain', body: text }) },
		{ name: 'an event that is not JSON', answer: (text: string): Answer => ({ body: `data: ${text}\n\n` }) },
		{
			name: 'an error event',
			answer: (text: string): Answer => ({ body: formatSse({ event: 'error', code: 'server_error', message: text }) }),
		},
	]) {
		it(`contain no part of the key in ${name} with a truncated text`, async () => {
			for (const before of [225, 260, 285, 298]) {
				service.setAnswers(answer(`${'x'.repeat(before)}${markerKey} and more`));
				for (const error of [
					await getFailure(client.createMessage(message)),
					await getFailure(collectEvents(client.streamWorkflow(run))),
				]) {
					assertNoKey(error, reports);
					assert.doesNotMatch(error.message, /sk-|xs[^*]/);
				}
			}
		});
	}

	it('report an error within a stream of C after its earlier events', async () => {
		service.setAnswers({
			body: formatSse({ type: 'message_start' }, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
		});
		const seen: string[] = [];
		const error = await getFailure(
			(async () => {
				for await (const event of client.streamMessage(message)) {
					seen.push(event.type);
				}
			})(),
		);
		assert.deepEqual(seen, ['message_start', 'error']);
		assert.equal(error.reason, 'overloaded');
	});
	it('report a stream of D without its stop_reason', async () => {
		service.setAnswers({ body: formatSse({ type: 'completion', completion: 'a', stop_reason: null }) });
		const body = { model: 'm', prompt: '\n\nHuman: x\n\nAssistant:', max_tokens_to_sample: 5 };
		assert.equal((await getFailure(collectEvents(client.streamCompletion(body)))).reason, 'protocol');
	});
	it('report a stream of E with an error in a chunk', async () => {
		service.setAnswers({ body: formatSse({ candidates: [] }, { error: { code: 503, status: 'UNAVAILABLE', message: echo } }) });
		const error = await getFailure(collectEvents(client.streamGenerateContent('m', content)));
		assert.equal(error.reason, 'overloaded');
		assert.equal(error.status, 503);
		assertNoKey(error, reports);
	});
	it('report a port where nothing listens', async () => {
		const nobody = new ServiceClient({
			baseUrl: 'http://127.0.0.1:1',
			kind: 'gateway',
			keys: { content: markerKey },
			onRequest: report => reports.push(report),
		});
		checkFault(
			await getFailure(nobody.generateContent('m', content)),
			{ name: '', answer: { body: '' }, reason: 'network', code: 'ECONNREFUSED', says: /Nothing is listening/ },
			reports,
		);
		await nobody.close();
	});
	it('report TLS to a server without TLS', async () => {
		const secure = new ServiceClient({ baseUrl: service.url.replace('http:', 'https:'), kind: 'gateway', keys: { content: markerKey } });
		const error = await getFailure(secure.generateContent('m', content));
		assert.equal(error.reason, 'tls');
		await secure.close();
	});
	it("report a service that doesn't respond", async () => {
		const silent = net.createServer(() => {}).listen(0, '127.0.0.1');
		await once(silent, 'listening');
		const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
		const hasty = new ServiceClient({
			baseUrl,
			kind: 'gateway',
			keys: { agent: markerKey },
			network: { timeouts: { reply: 50, work: 50 } },
		});
		const error = await getFailure(hasty.runWorkflow(run));
		assert.equal(error.reason, 'timeout');
		await hasty.close();
		silent.close();
	});

	it("report a key that isn't valid in a header", async () => {
		const odd = new ServiceClient({ baseUrl: service.url, kind: 'gateway', keys: { agent: `${markerKey}\n` } });
		const error = await getFailure(odd.runWorkflow(run));
		assert.equal(error.reason, 'invalid-request');
		assertNoKey(error, reports);
		await odd.close();
	});
	it('report a closed client', async () => {
		service.setAnswers({ json: {} });
		await client.runWorkflow(run).catch(() => {});
		await client.close();
		assert.equal((await getFailure(client.runWorkflow(run))).message, 'The client was closed.');
	});

	it('keep the key out of everything visible of the client', () => {
		assert.doesNotMatch(inspect(client, { depth: 9, showHidden: true }), /MARKER/);
		assert.doesNotMatch(JSON.stringify(client), /MARKER/);
	});
});

async function getFailure(promise: Promise<unknown>): Promise<ServiceError> {
	const error = await promise.then(
		() => assert.fail('it did not fail'),
		(error: unknown) => error,
	);
	assert.ok(error instanceof ServiceError, inspect(error));
	return error;
}

function checkFault(error: ServiceError, fault: Fault, reports: readonly RequestReport[]): void {
	assert.equal(error.reason, fault.reason, error.message);
	for (const field of ['code', 'status', 'retryAfterMs', 'received'] as const) {
		if (fault[field] !== undefined) {
			assert.equal(error[field], fault[field], field);
		}
	}
	assert.match(error.message, fault.says ?? /^[A-Z].*\.$/s);
	assertNoKey(error, reports);
}

/** Asserts that the error, its causes and the log contain the key in no form. */
function assertNoKey(error: ServiceError, reports: readonly RequestReport[]): void {
	const shown = [
		String(error),
		inspect(error, { depth: 9, showHidden: true }),
		JSON.stringify(error),
		error.stack,
		inspect(reports, { depth: 9 }),
	];
	for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
		shown.push(cause.message, cause.stack, inspect(cause, { depth: 9, showHidden: true }), JSON.stringify(cause));
	}
	for (const text of shown) {
		assert.doesNotMatch(text ?? '', /MARKER|secret/, text);
		assert.doesNotMatch(text ?? '', /key=[^*]/, text);
	}
}
