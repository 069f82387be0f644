import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceClient } from '#client/client.ts';
import { FakeService } from './fakeService.ts';

const run = { model: 'translator', inputs: {}, user: 'me' };
const started = 'data: {"event":"workflow_started"}\n\n';

describe('abort and back-pressure', () => {
	const service = new FakeService();
	let client: ServiceClient;
	let controller: AbortController;
	/** Resolves when the service sees a connection close. */
	let gone: Promise<unknown>;
	before(() => service.start());
	beforeEach(() => {
		controller = new AbortController();
		client = new ServiceClient({ baseUrl: service.url, kind: 'gateway', keys: {} });
	});
	afterEach(() => client.close());
	after(() => service.stop());

	/** Makes the service send this text and then nothing more. */
	function hangUntilAborted(text: string | undefined): Promise<void> {
		return new Promise(resolve => {
			service.setAnswers((_request, response) => {
				gone = once(response, 'close');
				if (text !== undefined) {
					response.writeHead(200, { 'content-type': 'text/event-stream' });
					response.write(text);
				}
				resolve();
			});
		});
	}

	function countListeners(): number {
		return getEventListeners(controller.signal, 'abort').length;
	}

	it('aborts a plain request that waits for its response', async () => {
		const asked = hangUntilAborted(undefined);
		const result = client.runWorkflow(run, controller);
		await asked;
		assert.equal(countListeners(), 1);
		controller.abort();
		await assert.rejects(result, { name: 'ServiceError', reason: 'aborted' });
		await gone;
		assert.equal(countListeners(), 0);
		assert.equal(await service.countConnections(), 0);
	});
	it('aborts before anything was sent', async () => {
		controller.abort();
		service.setAnswers({ json: {} });
		await assert.rejects(client.runWorkflow(run, controller), { reason: 'aborted' });
		await assert.rejects(client.streamWorkflow(run, controller).next(), { reason: 'aborted' });
		assert.equal(service.requests.length, 0);
		assert.equal(countListeners(), 0);
	});
	it('aborts a stream that waits for its next event', async () => {
		void hangUntilAborted(started);
		const stream = client.streamWorkflow(run, controller);
		await stream.next();
		const next = stream.next();
		controller.abort();
		await assert.rejects(next, { reason: 'aborted', received: 1 });
		assert.deepEqual(await stream.next(), { done: true, value: undefined });
		await gone;
		assert.equal(countListeners(), 0);
		assert.equal(await service.countConnections(), 0);
	});
	it('aborts a stream when its loop is left', async () => {
		void hangUntilAborted(started);
		for await (const _event of client.streamWorkflow(run, controller)) {
			break;
		}
		await gone;
		assert.equal(countListeners(), 0);
		assert.equal(await service.countConnections(), 0);
	});
	it('aborts between two attempts of a GET', async () => {
		service.setAnswers({ status: 503, headers: { 'retry-after': '10' }, body: '' });
		const retrying = new ServiceClient({
			baseUrl: service.url,
			kind: 'gateway',
			keys: {},
			onRequest: () => setImmediate(() => controller.abort()),
		});
		await assert.rejects(retrying.listAgents(controller), { reason: 'aborted' });
		await retrying.close();
		assert.equal(service.requests.length, 1);
		assert.equal(countListeners(), 0);
	});
	it('aborts between two attempts to connect', async () => {
		const nobody = new ServiceClient({ baseUrl: 'http://127.0.0.1:1', kind: 'gateway', keys: {} });
		const result = nobody.runWorkflow(run, controller);
		setTimeout(() => controller.abort(), 20);
		await assert.rejects(result, { reason: 'aborted' });
		assert.equal(countListeners(), 0);
		await nobody.close();
	});
	it('leaves no listener after a successful request', async () => {
		service.setAnswers({ json: { data: [] } });
		await client.listAgents(controller);
		assert.equal(countListeners(), 0);
	});
	it('aborts everything when the client is closed', async () => {
		const asked = hangUntilAborted(undefined);
		const result = client.runWorkflow(run);
		const rejected = assert.rejects(result, { name: 'ServiceError', reason: 'aborted' });
		await asked;
		await client.close();
		await rejected;
		await gone;
		assert.equal(await service.countConnections(), 0);
	});

	it('resends a POST whose connection was refused, because no byte of it was sent', async () => {
		const port = await findFreePort();
		const patient = new ServiceClient({ baseUrl: `http://127.0.0.1:${port}`, kind: 'gateway', keys: {} });
		const result = patient.createMessage({ model: 'm', messages: [{ role: 'user', content: 'x' }] });
		await delay(20);
		const late = http.createServer((request, response) => {
			request.resume();
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"m1"}');
		});
		late.listen(port, '127.0.0.1');
		assert.equal((await result).id, 'm1');
		await patient.close();
		late.closeAllConnections();
		late.close();
	});

	it('pauses the service while nothing is read, and loses nothing', async () => {
		const total = 64;
		const piece = 'x'.repeat(1024 * 1024);
		let written = 0;
		service.setAnswers((_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			const writeText = () => {
				while (written < total) {
					if (!response.write(`data: {"event":"big","n":${written++},"text":"${piece}"}\n\n`)) {
						response.once('drain', writeText);
						return;
					}
				}
				response.end('data: {"event":"workflow_finished"}\n\n');
			};
			writeText();
		});
		const stream = client.streamWorkflow(run);
		await stream.next();
		let before = -1;
		while (before !== written) {
			before = written;
			await delay(150);
		}
		assert.ok(written < total / 2, `${written} MB were taken from the service with nobody reading`);
		let count = 1;
		for await (const event of stream) {
			if (event.event === 'big') {
				assert.equal((event as { n?: unknown }).n, count);
			}
			count++;
		}
		assert.equal(count, total + 1);
	});
});

async function findFreePort(): Promise<number> {
	const server = http.createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as { port: number };
	server.close();
	await once(server, 'close');
	return port;
}
