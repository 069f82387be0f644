import assert from 'node:assert/strict';
import { once } from 'node:events';
import type net from 'node:net';
import { createEchoAgent, createGreetingAgent, createWaitingAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways, type GatewayProcess, type StreamedEvent, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { chooseSize, defineLongTest } from './support/long.ts';
import { patienceMs } from './support/patience.ts';
import { measureHealthMs, RawClient, readResidentMegabytes } from './support/rawClient.ts';

describe("callers that don't read their event streams", () => {
	let gateway: GatewayProcess;
	let client: RawClient;

	beforeEach(async () => {
		gateway = await startGateway({
			flags: ['--max-concurrent-runs', '600'],
			agents: {
				echoer: createEchoAgent(20),
				greeter: createGreetingAgent(),
				waiter: createWaitingAgent(),
				talker: createWaitingAgent(200_000, 0),
			},
		});
		client = new RawClient(gateway);
	});
	afterEach(async () => {
		client.closeConnections();
		await cleanUpGateways();
	});

	/** Runs an agent with some megabytes of events; returns the path of the events. */
	async function startLongRun(characters: number): Promise<string> {
		const { json } = await gateway.send('POST', '/v1/agent/workflows/run', {
			model: 'echoer',
			inputs: { output: 'x'.repeat(characters) },
			user: 'u',
			response_mode: 'blocking',
		});
		assert.equal(json.data?.status, 'succeeded', JSON.stringify(json).slice(0, 500));
		return `/v1/agent/workflows/run/${json.workflow_run_id}/events?model=echoer`;
	}

	it('use no memory when 20 of them request the events of a long run, and one that reads gets all events', async () => {
		const characters = chooseSize(500_000, 10_000_000);
		const path = await startLongRun(characters);
		const before = readResidentMegabytes(gateway.pid);
		for (let i = 0; i < 20; i++) {
			const socket = client.openConnection();
			socket.write(client.formatRequest('GET', path));
			await once(socket, 'readable');
		}
		assert.ok((await measureHealthMs(gateway)) < patienceMs);
		const after = readResidentMegabytes(gateway.pid);
		if (before !== undefined && after !== undefined) {
			assert.ok(after - before < chooseSize(150, 1_500), `${Math.round(before)} → ${Math.round(after)} MB`);
		}
		const { text } = await gateway.send('GET', path);
		const events = text.split('\n\n').flatMap(block => (block === '' ? [] : [JSON.parse(block.slice('data: '.length)) as StreamedEvent]));
		assert.equal(events.at(-1)?.event, 'workflow_finished');
		const finished = events.filter(({ event }) => event === 'node_finished');
		assert.equal(finished.length, 22);
		assert.ok(finished.slice(0, 21).every(({ data }) => data.outputs.output.length === characters));
	});

	defineLongTest('get the whole stream if they read slowly but steadily', async () => {
		const path = await startLongRun(1_000_000);
		const socket = client.openConnection();
		socket.write(client.formatRequest('GET', path));
		const text = await readStreamSlowly(socket, 64 * 1024, 100);
		assert.match(text, /"event":"workflow_finished"/);
	});

	it('leave nothing open when they disconnect during a stream', async () => {
		const path = await startLongRun(1_000_000);
		for (let i = 0; i < chooseSize(20, 500); i++) {
			const socket = client.openConnection();
			socket.write(client.formatRequest('GET', path));
			await once(socket, 'readable');
			socket.resetAndDestroy();
		}
		const { json } = await gateway.send('POST', '/v1/agent/workflows/run', {
			model: 'greeter',
			inputs: { name: 'x' },
			user: 'u',
			response_mode: 'blocking',
		});
		assert.equal(json.data.status, 'succeeded');
		assert.equal(await gateway.endProcess('SIGTERM'), 0);
	});

	it('delay no others when they open 500 streams at once', async () => {
		const body = JSON.stringify({ model: 'waiter', inputs: {}, user: 'u', response_mode: 'streaming' });
		// the first run loads the agent and the engine
		const first = await gateway.openStream('/v1/agent/workflows/run', JSON.parse(body));
		await first.waitForEvent('node_started');
		const opened = Array.from({ length: 500 }, async () => {
			const socket = client.openConnection();
			socket.write(client.formatRequest('POST', '/v1/agent/workflows/run', body));
			await once(socket, 'data');
		});
		let slowest = 0;
		let all = false;
		const done = Promise.all(opened).then(() => {
			all = true;
		});
		while (!all) {
			slowest = Math.max(slowest, await measureHealthMs(gateway));
		}
		await done;
		await first.cancel();

		assert.ok(slowest < patienceMs, `the health check took ${Math.round(slowest)} ms`);
	});
});

/** Reads `size` bytes every `ms` milliseconds until the stream ends; returns the end of the text. */
async function readStreamSlowly(socket: net.Socket, size: number, ms: number): Promise<string> {
	let tail = '';
	let ended = false;
	socket.pause();
	socket.once('close', () => {
		ended = true;
	});
	while (!ended) {
		const chunk = socket.read(size) ?? socket.read();
		tail = (tail + (chunk ?? '')).slice(-200_000);
		if (tail.endsWith('0\r\n\r\n')) {
			break;
		}
		await new Promise(resolve => setTimeout(resolve, ms));
	}
	return tail;
}
