import assert from 'node:assert/strict';
import { createChatAgent, createFailingAgent, createGreetingAgent, createModelAgent, createWaitingAgent } from './agents.ts';
import { openDebugSession, debugPath as path } from './debugClient.ts';
import { cleanUpGateways, type GatewayProcess, type StreamedEvent, startGateway } from './gatewayProcess.ts';
import { createToolNodeAgent } from './tools/toolAgents.ts';

const body = { model: 'greeter', inputs: { name: 'Ana' }, user: 'ana', response_mode: 'streaming' };

describe('debug sessions', () => {
	let gateway: GatewayProcess;
	before(async () => {
		const caller = createToolNodeAgent({ type: 'workflow', provider: 'greeter', name: 'greeter' }, { name: '{{#start.name#}}' });
		gateway = await startGateway({
			agents: {
				greeter: createGreetingAgent(),
				waiter: createWaitingAgent(),
				chatter: createChatAgent(),
				failer: createFailingAgent(),
				caller,
			},
		});
	});
	after(cleanUpGateways);

	const openSession = (more: object) => openDebugSession(gateway, { ...body, ...more });

	it('stops a draft, shows and sets values, evaluates, steps and continues', async () => {
		const { stream, sendCommand: command, waitForStop: stopped } = await openSession({ breakpoints: [{ id: 'b1', node: 'greet' }] });
		const { branch, breakpoints } = await stopped();
		assert.deepEqual(breakpoints, ['b1']);
		const { json } = await command({ command: 'scopes', branch });
		assert.deepEqual(
			json.scopes.map(({ name }: { name: string }) => name),
			['Inputs', 'Outputs so far', 'System'],
		);
		const inputs = await command({ command: 'variables', branch, path: ['inputs'] });
		assert.deepEqual(inputs.json, {
			total: 1,
			variables: [
				{
					name: 'name',
					text: '"Ana"',
					type: 'string',
					children: 0,
					path: ['inputs', 'name'],
					selector: 'start.name',
					settable: true,
					value: 'Ana',
				},
			],
		});
		assert.equal((await command({ command: 'evaluate', branch, expression: 'nodes.start.name + "!"' })).json.value, 'Ana!');
		assert.equal((await command({ command: 'evaluate', branch, expression: '{{#start.name#}}' })).json.value, 'Ana');
		assert.equal((await command({ command: 'evaluate', branch, expression: 'start.name' })).json.path.join('.'), 'outputs.start.name');
		assert.equal((await command({ command: 'evaluate', branch, expression: 'Dear {{#start.name#}},' })).json.value, 'Dear Ana,');
		const refused = await command({ command: 'set_variable', branch, path: ['inputs', 'name'], value: 3 });
		assert.equal(refused.status, 400);
		assert.match(refused.json.message, /^\{\{#start\.name#\}\} has the type string\. Expected a string, got 3/);
		assert.equal((await command({ command: 'set_variable', branch, path: ['inputs', 'name'], value: 'Bo' })).json.value, 'Bo');
		assert.deepEqual((await command({ command: 'complete', branch, text: '{{#start.n', column: 10 })).json, {
			items: [{ label: 'name', start: 9, length: 1 }],
		});
		assert.deepEqual((await command({ command: 'step', branch, how: 'over' })).json, { result: 'success' });
		await stopped();
		await command({ command: 'continue' });
		const events = await stream.readRemainingEvents();
		const finished = events.at(-1) as StreamedEvent;
		assert.equal(finished['data'].outputs.greeting, 'Hello Bo!');
		const recorded = await (
			await gateway.openFollowStream(`/v1/agent/workflows/run/${finished['workflow_run_id']}/events?model=greeter`)
		).readRemainingEvents();
		assert.deepEqual(
			recorded
				.filter(({ event }) => event.startsWith('debug_') || event === 'variable_set')
				.map(({ event, data }) => [event, data.selector, data.value]),
			[['variable_set', ['start', 'name'], 'Bo']],
			'the record says what was changed by hand, and nothing of the session',
		);
		const { json: detail } = await gateway.send('GET', `/v1/agent/workflows/run/${finished['workflow_run_id']}?model=greeter`);
		const [{ created_at: at, ...changed }, ...others] = detail.changed_by_hand;
		assert.deepEqual(changed, { selector: ['start', 'name'], value: 'Bo', previous: 'Ana', node_id: 'greet' });
		assert.ok(Math.abs(at - Date.now() / 1000) < 600);
		assert.deepEqual(others, []);
	});

	it('stops at a model call, refuses a reply that is too long or of an unknown shape, and takes one by hand', async () => {
		const {
			stream,
			sendCommand: command,
			waitForStop,
		} = await openSession({ source: createModelAgent('offline'), inputs: {}, model_calls: true });
		const { reason, branch, branches } = (await waitForStop()) as unknown as {
			reason: string;
			branch: number;
			branches: readonly { call?: { number: number; model: string } }[];
		};
		assert.equal(reason, 'model');
		const call = branches[0]?.call?.number;
		const { json: described } = await command({ command: 'model_call', branch });
		assert.equal(described.call, call);
		assert.ok(described.messages.length > 0);
		for (const reply of [
			{ text: 'x'.repeat(1_000_001) },
			{ text: '' },
			{ text: 7 },
			{ content: 'x' },
			{ calls: [{ name: 'x', arguments: {} }] },
			null,
		]) {
			assert.equal((await command({ command: 'answer', branch, call, reply })).status, 400, JSON.stringify(reply)?.slice(0, 80));
		}
		assert.equal((await command({ command: 'answer', branch, call: Number(call) + 1, reply: { text: 'x' } })).status, 409);
		assert.equal((await command({ command: 'answer', branch, call, reply: { text: 'x' } }, 'wrong')).status, 403);
		assert.deepEqual((await command({ command: 'answer', branch, call, reply: { text: 'By hand: </script>\u0000' } })).json, {
			result: 'success',
		});
		const finished = (await stream.readRemainingEvents()).at(-1) as StreamedEvent;
		assert.equal(finished['data'].status, 'succeeded');
		assert.match(JSON.stringify(finished['data'].outputs), /By hand: <\/script>/);
	});

	it('stops at a model call, refuses a reply that is too long or of an unknown shape, and takes one by hand', async () => {
		const {
			stream,
			sendCommand: command,
			waitForStop,
		} = await openSession({ source: createModelAgent('offline'), inputs: {}, model_calls: true });
		const { reason, branch, branches } = (await waitForStop()) as unknown as {
			reason: string;
			branch: number;
			branches: readonly { call?: { number: number; model: string } }[];
		};
		assert.equal(reason, 'model');
		const call = branches[0]?.call?.number;
		const { json: described } = await command({ command: 'model_call', branch });
		assert.equal(described.call, call);
		assert.ok(described.messages.length > 0);
		for (const reply of [
			{ text: 'x'.repeat(1_000_001) },
			{ text: '' },
			{ text: 7 },
			{ content: 'x' },
			{ calls: [{ name: 'x', arguments: {} }] },
			null,
		]) {
			assert.equal((await command({ command: 'answer', branch, call, reply })).status, 400, JSON.stringify(reply)?.slice(0, 80));
		}
		assert.equal((await command({ command: 'answer', branch, call: Number(call) + 1, reply: { text: 'x' } })).status, 409);
		assert.equal((await command({ command: 'answer', branch, call, reply: { text: 'x' } }, 'wrong')).status, 403);
		assert.deepEqual((await command({ command: 'answer', branch, call, reply: { text: 'By hand: </script>\u0000' } })).json, {
			result: 'success',
		});
		const finished = (await stream.readRemainingEvents()).at(-1) as StreamedEvent;
		assert.equal(finished['data'].status, 'succeeded');
		assert.match(JSON.stringify(finished['data'].outputs), /By hand: <\/script>/);
	});

	it('replays a recording without the secrets of the agent', async () => {
		const secret = { id: 'e', name: 'TOKEN', value_type: 'secret', value: `\${env:NO_SUCH_VARIABLE}` };
		const source = createGreetingAgent().replace('environment_variables: []', `environment_variables: ${JSON.stringify([secret])}`);
		assert.ok(source.includes('NO_SUCH_VARIABLE'), source);
		const { json: opened } = await gateway.send('POST', '/v1/agent/recordings', { mode: 'none' });
		const { stream } = await openSession({ source, recording: { id: opened.id } });
		assert.equal((await stream.readRemainingEvents()).at(-1)?.['data'].outputs.greeting, 'Hello Ana!');
		const refused = await gateway.send('POST', path, { ...body, source });
		assert.equal(refused.status, 400);
	});

	it('steps into an agent used as a tool and stops in its file', async () => {
		const greeterBreakpoint = { id: 'inner', node: 'greet', agent: 'greeter' };
		const {
			stream,
			sendCommand: command,
			waitForStop: stopped,
		} = await openSession({ model: 'caller', breakpoints: [{ id: 'outer', node: 'work' }] });
		const { branch } = await stopped();
		await command({ command: 'step', branch, how: 'into' });
		const inside = await stopped();
		assert.deepEqual(inside.branches[0]?.frames, [
			{ kind: 'node', node: 'start', title: 'Start', agent: 'greeter' },
			{ kind: 'agent', title: 'Greeter', agent: 'greeter' },
			{ kind: 'tool', node: 'work', title: 'Work' },
			{ kind: 'agent', title: '' },
		]);
		await command({ command: 'set_breakpoints', breakpoints: [greeterBreakpoint], failures: [] });
		await command({ command: 'continue' });
		const { breakpoints } = await stopped();
		assert.deepEqual(breakpoints, ['inner']);
		await command({ command: 'set_variable', branch, path: ['inputs', 'name'], value: 'Bo' });
		await command({ command: 'continue' });
		const finished = (await stream.readRemainingEvents()).at(-1) as StreamedEvent;
		assert.equal(finished['data'].outputs.text, 'Hello Bo!');
		const { json } = await gateway.send('GET', `/v1/agent/workflows/run/${finished['workflow_run_id']}?model=caller`);
		assert.deepEqual(
			json.changed_by_hand.map(({ agent, node_id, value }: Record<string, unknown>) => [agent, node_id, value]),
			[['greeter', 'greet', 'Bo']],
		);
	});

	it('accepts commands only from its own client', async () => {
		const { stream, id, sendCommand: command, waitForStop: stopped } = await openSession({ stop_on_entry: true });
		await stopped();
		for (const key of ['', 'wrong', 'x'.repeat(32), 'ü'.repeat(32)]) {
			assert.equal((await command({ command: 'continue' }, encodeURIComponent(key))).status, 403, key);
		}
		assert.equal((await gateway.send('POST', `${path}/${id}`, { command: 'continue' })).status, 403);
		assert.equal((await gateway.send('POST', `${path}/unknown`, { command: 'continue' })).status, 404);
		assert.equal((await command({ command: 'step', branch: 99, how: 'over' })).status, 409);
		assert.equal((await command({ command: 'jump' })).status, 400);
		await command({ command: 'continue' });
		await stream.readRemainingEvents();
		assert.equal((await command({ command: 'continue' })).status, 404, 'it has ended with its stream');
	});

	it('stops the run whose stream is closed', async () => {
		const { stream, waitForStop: stopped } = await openSession({ breakpoints: [{ id: 'b1', node: 'greet' }] });
		const { workflow_run_id: run } = await stream.waitForEvent('workflow_started');
		await stopped();
		await stream.cancel();
		const followed = await gateway.openFollowStream(`/v1/agent/workflows/run/${run}/events?model=greeter`);
		assert.equal((await followed.readRemainingEvents()).at(-1)?.['data'].status, 'stopped');
	});

	it('ends when its run is stopped', async () => {
		const { stream, waitForStop: stopped } = await openSession({ breakpoints: [{ id: 'b1', node: 'greet' }] });
		const { task_id: task } = await stream.waitForEvent('workflow_started');
		await stopped();
		await gateway.send('POST', `/v1/agent/workflows/tasks/${task}/stop`, { model: 'greeter', user: 'ana' });
		assert.equal((await stream.readRemainingEvents()).at(-1)?.['data'].status, 'stopped');
	});

	it('debugs a chatflow turn with chat events', async () => {
		assert.equal((await gateway.send('POST', path, { ...body, model: 'chatter' })).json.params, 'query');
		const {
			stream,
			sendCommand: command,
			waitForStop: stopped,
		} = await openSession({ model: 'chatter', inputs: {}, query: 'Hi', stop_on_entry: true });
		const { branch } = await stopped();
		assert.equal((await command({ command: 'evaluate', branch, expression: '{{#sys.query#}}' })).json.value, 'Hi');
		await command({ command: 'continue' });
		const events = await stream.readRemainingEvents();
		assert.equal(events.at(-1)?.event, 'message_end');
	});

	it('accepts mocks in every kind of run and refuses mocks of unknown nodes', async () => {
		const mocks = { greet: { outputs: { output: 'mocked' } } };
		for (const way of ['/v1/agent/workflows/run', '/v1/agent/workflows/draft/run']) {
			const { json } = await gateway.send('POST', way, { ...body, response_mode: 'blocking', mocks });
			assert.equal(json.data.outputs.greeting, 'mocked', way);
		}
		const { stream } = await openSession({ mocks });
		assert.equal((await stream.readRemainingEvents()).at(-1)?.['data'].outputs.greeting, 'mocked');
		const refused = await gateway.send('POST', '/v1/agent/workflows/run', { ...body, mocks: { nowhere: { outputs: {} } } });
		assert.equal(refused.status, 400);
		assert.match(refused.json.message, /^mocks: the agent has no reachable node 'nowhere'/);
		const shape = await gateway.send('POST', '/v1/agent/workflows/run', { ...body, mocks: { greet: {} } });
		assert.match(shape.json.message, /^mocks\.greet.*expected/);
	});

	it('runs one node, or all nodes from one on, with recorded outputs', async () => {
		const draft = '/v1/agent/workflows/draft/run';
		const { json: whole } = await gateway.send('POST', '/v1/agent/workflows/run', { ...body, response_mode: 'blocking' });
		const source = createGreetingAgent('Good day');
		const createPartialRun = (how: string, node = 'greet') => ({
			...body,
			inputs: {},
			source,
			response_mode: 'blocking',
			part: { node, how, run: whole.workflow_run_id },
		});
		const alone = await gateway.send('POST', draft, createPartialRun('only'));
		assert.deepEqual(alone.json.data.outputs, { output: 'Good day Ana!' });
		assert.equal(alone.json.data.total_steps, 1);
		assert.deepEqual((await gateway.send('POST', draft, createPartialRun('from'))).json.data.outputs, { greeting: 'Good day Ana!' });
		const end = await gateway.send('POST', draft, createPartialRun('from', 'end'));
		assert.deepEqual(end.json.data.outputs, { greeting: 'Hello Ana!' }, 'what comes before keeps its outputs');
		const refused = await gateway.send('POST', draft, {
			...createPartialRun('only'),
			part: { node: 'greet', how: 'only', run: 'unknown' },
		});
		assert.equal(refused.status, 400);
		assert.match(refused.json.message, /^part\.run: This agent has no saved run/);
	});

	it('runs one node of a chatflow with the query of a recorded turn', async () => {
		const turn = await gateway.openStream('/v1/agent/chat-messages', {
			model: 'chatter',
			inputs: {},
			query: 'Tide?',
			user: 'ana',
			response_mode: 'streaming',
		});
		const events = await turn.readRemainingEvents();
		const run = events.find(({ event }) => event === 'workflow_started')?.['workflow_run_id'];
		const node = events.find(({ event, data }) => event === 'node_finished' && data.node_type === 'answer')?.['data'];
		const { json } = await gateway.send('POST', '/v1/agent/workflows/draft/run', {
			...body,
			model: 'chatter',
			inputs: {},
			response_mode: 'blocking',
			part: { node: node.node_id, how: 'only', run },
		});
		assert.deepEqual(json.data?.outputs, node.outputs, JSON.stringify(json));
	});
});
