import assert from 'node:assert/strict';
import { createFailingAgent, createGreetingAgent, createWaitingAgent } from './agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from './gatewayProcess.ts';

const run = { model: 'greeter', inputs: { name: 'Ana' }, user: 'ana' };
const path = '/v1/agent/workflows/run';

describe('workflow runs (A1 to A4)', () => {
	let gateway: GatewayProcess;
	before(async () => {
		gateway = await startGateway({
			agents: {
				greeter: createGreetingAgent(),
				waiter: createWaitingAgent(),
				talker: createWaitingAgent(20, 10),
				failer: createFailingAgent(),
			},
		});
	});
	after(cleanUpGateways);

	it('answers a blocking run with its result', async () => {
		const { status, json } = await gateway.send('POST', path, { ...run, response_mode: 'blocking' });
		assert.equal(status, 200);
		assert.deepEqual(Object.keys(json).sort(), ['data', 'task_id', 'workflow_run_id']);
		assert.equal(json.data.id, json.workflow_run_id);
		assert.equal(json.data.status, 'succeeded');
		assert.deepEqual(json.data.outputs, { greeting: 'Hello Ana!' });
		assert.equal(json.data.error, null);
		assert.equal(json.data.total_steps, 3);
		assert.ok(Number.isInteger(json.data.created_at) && Number.isInteger(json.data.finished_at));
	});

	it('streams the events of a run in chunks that begin with "data: "', async () => {
		const stream = await gateway.openStream(path, { ...run, response_mode: 'streaming' });
		const events = await stream.readRemainingEvents();
		assert.deepEqual(
			events.map(({ event }) => event).filter(event => event !== 'text_chunk'),
			['workflow_started', ...Array(3).fill(['node_started', 'node_finished']).flat(), 'workflow_finished'],
		);
		for (const chunk of stream.getReceivedText().split('\n\n').slice(0, -1)) {
			assert.match(chunk, /^data: \{"event":/);
		}
		const [started] = events;
		assert.ok(
			events.every(event => event['task_id'] === started?.['task_id'] && event['workflow_run_id'] === started?.['workflow_run_id']),
		);
		assert.equal(events.at(-1)?.['data'].outputs.greeting, 'Hello Ana!');
	});

	it("shows a finished run in the contract's form", async () => {
		const { json: result } = await gateway.send('POST', path, { ...run, response_mode: 'blocking' });
		const { json: detail } = await gateway.send('GET', `${path}/${result.workflow_run_id}?model=greeter`);
		assert.equal(detail.status, 'succeeded');
		assert.deepEqual(JSON.parse(detail.inputs), { name: 'Ana', 'sys.files': [], 'sys.user_id': 'ana' });
		assert.deepEqual(detail.outputs, { greeting: 'Hello Ana!' });
		assert.match(detail.created_at, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d -0000$/);
		assert.match(detail.finished_at, /-0000$/);
	});

	it('lists runs newest first, by page, status and keyword', async () => {
		await gateway.send('POST', path, { ...run, inputs: { name: 'Needle "q"' }, user: 'lister', response_mode: 'blocking' });
		await gateway.send('POST', path, { model: 'failer', inputs: {}, user: 'lister', response_mode: 'blocking' });
		const fetchLogs = async (query: string) => (await gateway.send('GET', `/v1/agent/workflows/logs?${query}`)).json;
		const first = await fetchLogs('model=greeter&limit=1');
		const second = await fetchLogs('model=greeter&limit=1&page=2');
		assert.equal(first.page, 1);
		assert.equal(first.limit, 1);
		assert.equal(first.has_more, true);
		assert.ok(first.data[0].id > second.data[0].id);
		assert.equal(first.total, (await fetchLogs('model=greeter')).data.length);
		assert.equal(first.data[0].created_by_end_user.session_id, 'lister');
		const last = await fetchLogs(`model=greeter&limit=1&page=${first.total}`);
		assert.equal(last.has_more, false);
		assert.deepEqual((await fetchLogs(`model=greeter&page=${first.total + 1}`)).data, []);
		assert.equal((await fetchLogs('model=greeter&status=failed')).total, 0);
		assert.equal((await fetchLogs('model=failer&status=failed')).data[0].workflow_run.status, 'failed');
		for (const keyword of ['needle', 'Needle "q', 'ne', first.data[0].id]) {
			const found = await fetchLogs(`model=greeter&keyword=${encodeURIComponent(keyword)}`);
			assert.equal(found.total, 1, keyword);
			assert.equal(found.data[0].id, first.data[0].id);
		}
		assert.equal((await fetchLogs('model=greeter&keyword=haystack')).total, 0);
		assert.equal((await fetchLogs('model=failer&keyword=needle')).total, 0);
	});

	it('stops a streaming run only for its own user', async () => {
		const stream = await gateway.openStream(path, { model: 'waiter', inputs: {}, user: 'ana', response_mode: 'streaming' });
		const { task_id: task, workflow_run_id: id } = await stream.waitForEvent('workflow_started');
		const stop = (user: string, model = 'waiter') => gateway.send('POST', `/v1/agent/workflows/tasks/${task}/stop`, { model, user });
		assert.equal((await gateway.send('GET', `${path}/${id}?model=waiter`)).json.status, 'running');
		assert.equal((await stop('eve')).status, 403);
		assert.equal((await stop('ana', 'greeter')).status, 404);
		assert.deepEqual((await stop('ana')).json, { result: 'success' });
		assert.equal((await stream.readRemainingEvents()).at(-1)?.['data'].status, 'stopped');
		assert.equal((await gateway.send('GET', `${path}/${id}?model=waiter`)).json.status, 'stopped');
		assert.deepEqual((await stop('ana')).json, { result: 'success' }, 'a moment late, as hosted services answer it');
	});

	it('refuses to stop a blocking run and explains why', async () => {
		const abort = new AbortController();
		const blocking = fetch(gateway.baseUrl + path, {
			method: 'POST',
			headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
			body: JSON.stringify({ model: 'waiter', inputs: {}, user: 'blocker', response_mode: 'blocking' }),
			signal: abort.signal,
		}).catch(() => {});
		const task = await waitForTask(gateway, 'waiter', 'blocker');
		const stop = (id: string) => gateway.send('POST', `/v1/agent/workflows/tasks/${id}/stop`, { model: 'waiter', user: 'blocker' });
		const refused = await stop(task);
		assert.equal(refused.status, 400);
		assert.match(refused.json.message, /blocking mode/);
		assert.equal((await stop('unknown')).status, 404);
		abort.abort();
		await blocking;
	});

	it('continues a run when its client disconnects', async () => {
		const gone = await startGateway({ agents: { slow: createWaitingAgent(20, 20) } });
		const stream = await gone.openStream(path, { model: 'slow', inputs: {}, user: 'ana', response_mode: 'streaming' });
		const { workflow_run_id: id } = await stream.waitForEvent('workflow_started');
		await stream.cancel();
		let status = 'running';
		while (status === 'running') {
			status = (await gone.send('GET', `${path}/${id}?model=slow`)).json.status;
		}
		assert.equal(status, 'succeeded');
		await gone.endProcess();
	});

	it('queues runs over the limit and pings waiting clients', async () => {
		const narrow = await startGateway({
			agents: { waiter: createWaitingAgent(), greeter: createGreetingAgent() },
			flags: ['--max-concurrent-runs', '1'],
		});
		const first = await narrow.openStream(path, { model: 'waiter', inputs: {}, user: 'ana', response_mode: 'streaming' });
		const { task_id: task } = await first.waitForEvent('workflow_started');
		const began = performance.now();
		const second = await narrow.openStream(path, { ...run, response_mode: 'streaming' });
		await second.waitForEvent('ping');
		const waited = performance.now() - began;
		assert.ok(waited > 9_000, `first ping after ${Math.round(waited)} ms`);
		await narrow.send('POST', `/v1/agent/workflows/tasks/${task}/stop`, { model: 'waiter', user: 'ana' });
		assert.equal((await second.waitForEvent('workflow_finished'))['data'].status, 'succeeded');
		await narrow.endProcess();
	});

	it("doesn't start queued runs at shutdown", async () => {
		const narrow = await startGateway({ agents: { waiter: createWaitingAgent() }, flags: ['--max-concurrent-runs', '1'] });
		const order = { model: 'waiter', inputs: {}, user: 'ana', response_mode: 'streaming' };
		const first = await narrow.openStream(path, order);
		await first.waitForEvent('workflow_started');
		const second = await narrow.openStream(path, order);
		assert.equal(await narrow.endProcess(), 0);
		assert.equal((await first.readRemainingEvents()).at(-1)?.['data'].status, 'stopped');
		assert.deepEqual(
			(await second.readRemainingEvents()).map(({ event, status }) => [event, status]),
			[['error', 503]],
		);
		const again = await startGateway({ data: narrow.data });
		assert.equal((await again.send('GET', '/v1/agent/workflows/logs?model=waiter')).json.total, 1);
		await again.endProcess();
	});

	it('replays the events of a run and follows it', async () => {
		const stream = await gateway.openStream(path, { model: 'talker', inputs: {}, user: 'ana', response_mode: 'streaming' });
		const { workflow_run_id: id } = await stream.waitForEvent('node_started');
		const again = await gateway.openFollowStream(`${path}/${id}/events?model=talker`);
		await again.waitForEvent('workflow_started');
		const removeTextEvents = (events: readonly { event: string }[]) => events.filter(({ event }) => event !== 'text_chunk');
		assert.deepEqual(removeTextEvents(await again.readRemainingEvents()), removeTextEvents(await stream.readRemainingEvents()));
		const later = await gateway.openFollowStream(`${path}/${id}/events?model=talker`);
		assert.deepEqual(await later.readRemainingEvents(), removeTextEvents(await stream.readRemainingEvents()));
	});

	it('refuses invalid requests with the field and the reason', async () => {
		const cases: readonly (readonly [unknown, number, string, RegExp])[] = [
			[{ ...run, response_mode: 'later' }, 400, 'invalid_param', /response_mode/],
			[{ ...run, response_mode: undefined }, 400, 'invalid_param', /Arg response_mode must be provided/],
			[{ ...run, user: undefined, response_mode: 'blocking' }, 400, 'invalid_param', /Arg user must be provided/],
			[{ ...run, inputs: undefined, response_mode: 'blocking' }, 400, 'invalid_param', /Arg inputs must be provided/],
			[{ ...run, inputs: {}, response_mode: 'blocking' }, 400, 'invalid_param', /name is required in input form/],
			[{ ...run, inputs: { name: 'x'.repeat(49) }, response_mode: 'blocking' }, 400, 'invalid_param', /less than 48 characters/],
			[{ ...run, model: 'nobody', response_mode: 'blocking' }, 404, 'not_found', /nobody/],
			[
				{ ...run, files: [{ type: 'image', transfer_method: 'local_file', upload_file_id: 'x' }], response_mode: 'blocking' },
				400,
				'invalid_param',
				/upload_file_id/,
			],
			['{"model": ', 400, 'bad_request', /Invalid JSON payload/],
		];
		for (const [body, status, code, message] of cases) {
			const answer = await gateway.send('POST', path, body);
			assert.equal(answer.status, status, answer.text);
			assert.equal(answer.json.code, code, answer.text);
			assert.equal(answer.json.status, status);
			assert.match(answer.json.message, message);
		}
		assert.equal((await gateway.send('POST', path, '{}', { 'content-type': 'text/plain' })).status, 415);
		assert.equal(
			(await gateway.send('GET', `${path}/00000000-0000-4000-8000-000000000000?model=greeter`)).json.message,
			'Workflow run not found.',
		);
		assert.equal((await gateway.send('GET', '/v1/agent/workflows/logs?model=greeter&limit=101')).status, 400);
		assert.equal((await gateway.send('GET', '/v1/agent/workflows/logs?model=greeter&status=running')).status, 400);
		assert.equal((await gateway.send('PUT', path)).status, 405);
	});
});

/** Waits until a run of this user has started; resolves to the task ID in its first event. */
async function waitForTask(gateway: GatewayProcess, model: string, user: string): Promise<string> {
	for (;;) {
		const { json } = await gateway.send('GET', `/v1/agent/workflows/logs?model=${model}`);
		const run = json.data.find((log: { created_by_end_user: { session_id: string } }) => log.created_by_end_user.session_id === user);
		if (run) {
			const events = await gateway.openFollowStream(`${path}/${run.id}/events?model=${model}`);
			const { task_id: task } = await events.waitForEvent('workflow_started');
			await events.cancel();
			return task;
		}
	}
}
