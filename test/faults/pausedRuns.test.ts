import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createWaitingAgent } from '../contract/gateway/agents.ts';
import { createFormAgent, createSlowFormAgent } from '../contract/gateway/formAgents.ts';
import {
	cleanUpGateways,
	createAgentsFolder,
	createTemporaryFolder,
	type GatewayProcess,
	type StreamedEvent,
	startGateway,
} from '../contract/gateway/gatewayProcess.ts';
import { canHaveSmallDisks, startGatewayOnSmallDisk } from './support/smallDisk.ts';

const runs = '/v1/agent/workflows/run';
const forms = '/v1/agent/form/human_input';
const createRunRequest = (model: string) => ({ model, inputs: { name: 'Ana' }, user: 'ana', response_mode: 'streaming' });
const createFormAnswer = (note = 'fine') => ({ inputs: { note }, action: 'ok', user: 'ana' });

async function runUntilPause(gateway: GatewayProcess, model: string): Promise<{ readonly id: string; readonly token: string }> {
	const events = await (await gateway.openStream(runs, createRunRequest(model))).readRemainingEvents();
	const token = events.find(({ event }) => event === 'human_input_required')?.['data'].form_token;
	return { id: events[0]?.['workflow_run_id'], token };
}

async function readAllEvents(gateway: GatewayProcess, model: string, id: string): Promise<readonly StreamedEvent[]> {
	return (await gateway.openFollowStream(`${runs}/${id}/events?model=${model}&continue_on_pause=true`)).readRemainingEvents();
}

const countEvents = (events: readonly StreamedEvent[], kind: string) => events.filter(({ event }) => event === kind).length;

describe('a gateway killed while runs wait for input', () => {
	afterEach(cleanUpGateways);

	it('keeps paused runs as they were started, even if their files change or disappear', async () => {
		const data = createTemporaryFolder();
		const folder = createAgentsFolder({ asker: createFormAgent(), draft: createFormAgent() });
		const flags = ['--agents', folder];
		let gateway = await startGateway({ data, flags });
		const published = await runUntilPause(gateway, 'asker');
		const draftEvents = await (await gateway.openStream('/v1/agent/workflows/draft/run', createRunRequest('draft'))).readRemainingEvents();
		const token = draftEvents.find(({ event }) => event === 'human_input_required')?.['data'].form_token;
		const draft = { id: draftEvents[0]?.['workflow_run_id'] as string, token: token as string };
		fs.rmSync(path.join(folder, 'asker.yml'));
		fs.writeFileSync(path.join(folder, 'draft.yml'), createFormAgent().replaceAll('ask', 'other'));
		for (let restart = 0; restart < 3; restart++) {
			await gateway.endProcess('SIGKILL');
			gateway = await startGateway({ data, flags });
		}
		for (const [model, run] of Object.entries({ asker: published, draft })) {
			assert.equal((await gateway.send('GET', `${runs}/${run.id}?model=${model}`)).json.status, 'paused');
			assert.equal((await gateway.send('POST', `${forms}/${run.token}`, createFormAnswer())).status, 200);
			const events = await readAllEvents(gateway, model, run.id);
			assert.deepEqual(events.at(-1)?.['data'].outputs, { note: 'fine', action: 'Yes', content: 'Is Ana right? fine' });
		}
	});

	it('uses an accepted answer exactly once, even if the gateway was killed before it used the answer', async () => {
		const data = createTemporaryFolder();
		const start = { data, agents: { asker: createFormAgent(), waiter: createWaitingAgent() }, flags: ['--max-concurrent-runs', '1'] };
		const gateway = await startGateway(start);
		const { id, token } = await runUntilPause(gateway, 'asker');
		const holder = await gateway.openStream(runs, createRunRequest('waiter'));
		await holder.waitForEvent('node_started');
		assert.equal((await gateway.send('POST', `${forms}/${token}`, createFormAnswer())).status, 200);
		assert.equal((await gateway.send('GET', `${runs}/${id}?model=asker`)).json.status, 'paused', 'it waits for its turn');
		await gateway.endProcess('SIGKILL');
		const again = await startGateway(start);
		assert.equal((await again.send('POST', `${forms}/${token}`, createFormAnswer('late'))).json.code, 'human_input_form_submitted');
		const events = await readAllEvents(again, 'asker', id);
		assert.deepEqual([countEvents(events, 'human_input_form_filled'), events.at(-1)?.['data'].outputs.note], [1, 'fine']);
		await again.endProcess('SIGKILL');
		const last = await startGateway(start);
		assert.equal(countEvents(await readAllEvents(last, 'asker', id), 'human_input_form_filled'), 1);
	});

	it('marks resumed runs as interrupted, and uses no answer twice', async () => {
		const data = createTemporaryFolder();
		const start = { data, agents: { slow: createSlowFormAgent(400, 50) } };
		const gateway = await startGateway(start);
		const { id, token } = await runUntilPause(gateway, 'slow');
		const stream = await gateway.openFollowStream(`/v1/agent/workflow/${id}/events?model=slow&user=ana`);
		await gateway.send('POST', `${forms}/${token}`, createFormAnswer());
		await stream.waitForEvent('text_chunk');
		await stream.cancel();
		await gateway.endProcess('SIGKILL');
		const again = await startGateway(start);
		const { status, error } = (await again.send('GET', `${runs}/${id}?model=slow`)).json;
		assert.deepEqual([status, error], ['failed', 'interrupted: the service ended before the run did']);
		assert.equal((await again.send('POST', `${forms}/${token}`, createFormAnswer())).status, 412);
	});
});

describe('hostile text in a form', () => {
	afterEach(cleanUpGateways);

	it('is used only as a value', async () => {
		const gateway = await startGateway({ agents: { asker: createFormAgent() } });
		const hostile = [
			'{{#$output.note#}} {{#start.name#}} {{#env.KEY#}} {{ 7*7 }} $& $1',
			'\0\u2028\ud800"\\\r\n\r\ndata: {"event":"workflow_finished"}\n\n',
			"'; DROP TABLE forms; --",
			'x'.repeat(200 * 1024),
		];
		for (const note of hostile) {
			const { id, token } = await runUntilPause(gateway, 'asker');
			const inputs = JSON.parse(`{"__proto__": {"note": 1}, "constructor": 1, "other": 1}`);
			const sent = await gateway.send('POST', `${forms}/${token}`, { inputs: { ...inputs, note }, action: 'ok', user: 'ana' });
			assert.equal(sent.status, 200, sent.text);
			const { outputs } = (await readAllEvents(gateway, 'asker', id)).at(-1)?.['data'] ?? {};
			const kept = JSON.parse(JSON.stringify(note));
			assert.deepEqual(outputs, { note: kept, action: 'Yes', content: `Is Ana right? ${kept}` });
		}
		const { id, token } = await runUntilPause(gateway, 'asker');
		for (const action of ['__proto__', '__timeout', 'constructor', '']) {
			assert.equal((await gateway.send('POST', `${forms}/${token}`, { ...createFormAnswer(), action })).json.code, 'invalid_form_data');
		}
		for (const note of [1, ['x'], { a: 1 }, true, 'x'.repeat(200 * 1024 + 1)]) {
			assert.equal(
				(await gateway.send('POST', `${forms}/${token}`, { ...createFormAnswer(), inputs: { note } })).json.code,
				'invalid_form_data',
			);
		}
		for (const odd of ['%00', "'%20OR%201=1--", '__proto__', 'x'.repeat(5000)]) {
			assert.equal((await gateway.send('GET', `${forms}/${odd}`)).status, 404, odd);
		}
		assert.equal((await gateway.send('GET', `${runs}/${id}?model=asker`)).json.status, 'paused');
	});
});

describe('a disk that is full when a run has to wait for input', () => {
	before(function () {
		if (!canHaveSmallDisks) {
			this.skip(); // needs Linux with user namespaces
		}
	});
	after(cleanUpGateways);

	it("fails that run with a one-line message, loses no waiting run, and refuses answers that it can't store", async () => {
		const disk = await startGatewayOnSmallDisk(6, { asker: createFormAgent() });
		try {
			const start = (name = 'Ana') =>
				disk.sendRequest('POST', runs, { ...createRunRequest('asker'), inputs: { name }, response_mode: 'blocking' });
			const waiting = JSON.parse((await start()).text);
			const token = waiting.data.reasons[0].form_token;
			disk.fillSpace();
			// free pages in the store's write-ahead log accept a few more
			const tries = await Promise.all(Array.from({ length: 300 }, () => start('x'.repeat(40))));
			for (const { status, text } of tries.filter(each => each.status !== 200)) {
				assert.equal(status, 507, text);
				assert.match(JSON.parse(text).message, /^The disk with the gateway's data folder is full\. .*\.$/);
			}
			assert.ok(tries.some(({ status }) => status === 507));
			const answer = await disk.sendRequest('POST', `${forms}/${token}`, createFormAnswer());
			assert.ok([200, 507].includes(answer.status), answer.text);
			disk.freeSpace();
			if (answer.status === 507) {
				assert.equal((await disk.sendRequest('POST', `${forms}/${token}`, createFormAnswer())).status, 200);
			}
			const events = await disk.sendRequest('GET', `${runs}/${waiting.workflow_run_id}/events?model=asker&continue_on_pause=true`);
			assert.match(events.text, /"event":"workflow_finished".*"status":"succeeded"/);
			const { json } = { json: JSON.parse((await disk.sendRequest('GET', '/v1/agent/workflows/logs?model=asker&limit=100')).text) };
			const states = new Set(json.data.map((log: { workflow_run: { status: string } }) => log.workflow_run.status));
			assert.ok(!states.has('running'), [...states].join());
		} finally {
			disk.child.kill('SIGKILL');
		}
	});
});
