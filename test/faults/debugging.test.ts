import assert from 'node:assert/strict';
import { createFailingAgent, createGreetingAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../contract/gateway/gatewayProcess.ts';

const path = '/v1/agent/workflows/debug';
const body = { model: 'greeter', inputs: { name: 'Ana' }, user: 'ana', response_mode: 'streaming' };

describe('debug sessions under attack', function () {
	this.timeout(180_000);
	let gateway: GatewayProcess;
	before(async () => {
		gateway = await startGateway({ agents: { greeter: createGreetingAgent(), failer: createFailingAgent() } });
	});
	after(cleanUpGateways);

	async function openSession(more: object, to = gateway) {
		const stream = await to.openStream(path, { ...body, ...more });
		const { data } = await stream.waitForEvent('debug_session');
		return {
			stream,
			command: (command: object, key: string = data.key) => to.send('POST', `${path}/${data.session_id}`, command, { 'x-debug-key': key }),
			stopped: async () => (await stream.waitForEvent('debug_stopped'))['data'],
		};
	}

	it('reject expressions that never end, escape the sandbox or fill the memory, and stay paused', async () => {
		const hostile = [
			'(() => { for (;;); })()',
			'1); for (;;); (2',
			'new Promise(() => {})',
			'"x".repeat(2 ** 30)',
			'Array.from({ length: 1e9 })',
			'process.exit(1)',
			'import("node:fs")',
			'globalThis.constructor.constructor("return process")().exit(1)',
			'(JSON.stringify = () => "?", Promise.prototype.then = null, nodes)',
			'}; throw 1; {',
			'\u2028`',
		];
		for (const condition of hostile) {
			const { stream, command, stopped } = await openSession({ breakpoints: [{ id: 'b', node: 'greet', condition }] });
			const { branch } = await stopped();
			const evaluated = await command({ command: 'evaluate', branch, expression: condition });
			assert.ok(evaluated.status === 400 || evaluated.status === 200, `${condition}: ${evaluated.text}`);
			assert.equal((await command({ command: 'evaluate', branch, expression: '1 + 1' })).json.text, '2', condition);
			await command({ command: 'continue' });
			assert.equal((await stream.readRemainingEvents()).at(-1)?.['data'].status, 'succeeded', condition);
		}
	});

	it('accept 10,000 breakpoints, and refuse more with a one-line message', async () => {
		const breakpoints = Array.from({ length: 10_000 }, (_, index) => ({ id: `b${index}`, node: index % 2 ? 'greet' : `n${index}` }));
		const { stream, command, stopped } = await openSession({ breakpoints });
		assert.equal((await stopped()).breakpoints.length, 5_000);
		assert.equal((await command({ command: 'set_breakpoints', breakpoints, failures: [] })).status, 200);
		const more = await command({ command: 'set_breakpoints', breakpoints: [...breakpoints, { id: 'x', node: 'greet' }], failures: [] });
		assert.equal(more.status, 400);
		assert.match(more.json.message, /^breakpoints: /);
		await command({ command: 'continue' });
		await stream.readRemainingEvents();
	});

	it('stop a storm of restarts at the step limit', async () => {
		const { stream, command } = await openSession({ model: 'failer', inputs: {}, failures: ['node'] });
		let restarts = 0;
		for (;;) {
			const stop = await stream.waitForEvent('debug_stopped').catch(() => undefined);
			if (!stop) {
				break;
			}
			const { status } = await command({ command: 'restart', branch: stop['data'].branch });
			if (status !== 200) {
				break;
			}
			restarts++;
		}
		const { data } = (await stream.readRemainingEvents()).at(-1) as { data?: { status: string; error: string } };
		assert.equal(data?.status, 'stopped');
		assert.match(data?.error ?? '', /Maximum execution steps exceeded/);
		assert.ok(restarts > 400, String(restarts));
	});

	it('accept concurrent commands of two clients only from the one with the key, in any order', async () => {
		const { stream, command, stopped } = await openSession({ stop_on_entry: true });
		const { branch } = await stopped();
		const step = { command: 'step', branch, how: 'over' };
		const answers = await Promise.all([...Array(20)].map((_, index) => command(step, index % 2 ? 'another' : undefined)));
		// the steps may have ended the run and its session before other calls arrive
		const getExpectedStatuses = (index: number): number[] => (index % 2 ? [403, 404] : [200, 409, 404]);
		assert.deepEqual(
			answers.map(({ status }) => status).filter((status, index) => !getExpectedStatuses(index).includes(status)),
			[],
		);
		assert.ok(answers.some(({ status }) => status === 200));
		await command({ command: 'continue' });
		assert.equal((await stream.readRemainingEvents()).at(-1)?.['data'].status, 'succeeded');
	});

	it('end paused runs in order when the gateway ends', async () => {
		const other = await startGateway({ agents: { greeter: createGreetingAgent() } });
		const { stream, stopped } = await openSession({ breakpoints: [{ id: 'b', node: 'greet' }] }, other);
		await stopped();
		const code = await other.endProcess('SIGTERM');
		assert.equal(code, 0, other.getLog());
		assert.equal((await stream.readRemainingEvents()).at(-1)?.['data'].status, 'stopped');
	});

	it('end the paused run of a client that disappears', async () => {
		const runs: string[] = [];
		for (let count = 0; count < 20; count++) {
			const { stream, stopped } = await openSession({ breakpoints: [{ id: 'b', node: 'greet' }] });
			runs.push((await stream.waitForEvent('workflow_started'))['workflow_run_id']);
			await stopped();
			await stream.cancel();
		}
		for (const run of runs) {
			const followed = await gateway.openFollowStream(`/v1/agent/workflows/run/${run}/events?model=greeter`);
			assert.equal((await followed.readRemainingEvents()).at(-1)?.['data'].status, 'stopped');
		}
	});
});
