import assert from 'node:assert/strict';
import { createAgentText, createEndNode, createStartNode, createTemplateNode, type TestNode } from '../../unit/engine/run/engineFixture.ts';
import { createGreetingAgent } from './agents.ts';
import { type DebugClient, openDebugSession, type StopData } from './debugClient.ts';
import { cleanUpGateways, type GatewayProcess, type StreamedEvent, startGateway } from './gatewayProcess.ts';
import { createToolNodeAgent } from './tools/toolAgents.ts';

const body = { inputs: { name: 'Ana' }, user: 'ana', response_mode: 'streaming' };
const secret = 'sk-0123456789-very-secret';

/** Two branches that join, a loop of two iterations, and a secret. */
function createTravelAgent(): string {
	const inside = (node: TestNode): TestNode => ({ ...node, parentId: 'loop' });
	return createAgentText(
		[
			createStartNode('name'),
			...['l1', 'r1'].map(id => createTemplateNode(id, `${id} {{ t }}`, { t: 'start.name' })),
			createTemplateNode('join', '{{ l }}, {{ r }}', { l: 'l1.output', r: 'r1.output' }),
			{
				id: 'loop',
				data: {
					type: 'loop',
					start_node_id: 'begin',
					loop_count: 2,
					loop_variables: [{ label: 's', var_type: 'string', value_type: 'constant', value: '' }],
					break_conditions: [],
					logical_operator: 'and',
				},
			},
			inside({ id: 'begin', data: { type: 'loop-start' } }),
			inside(createTemplateNode('add', '{{ s }}{{ k }}', { s: 'loop.s', k: 'env.KEY' })),
			inside({
				id: 'keep',
				data: {
					type: 'assigner',
					version: '2',
					items: [{ variable_selector: ['loop', 's'], input_type: 'variable', operation: 'over-write', value: ['add', 'output'] }],
				},
			}),
			createEndNode({ out: 'join.output' }),
		],
		['start > l1', 'start > r1', 'l1 > join', 'r1 > join', 'join > loop', 'begin > add', 'add > keep', 'loop > end'],
		{ workflow: { environment_variables: [{ name: 'KEY', value_type: 'secret', value: secret }] } },
	);
}

describe('stepping back over HTTP', () => {
	let gateway: GatewayProcess;
	before(async () => {
		gateway = await startGateway({
			agents: {
				greeter: createGreetingAgent(),
				traveler: createTravelAgent(),
				coder: createCodeAgent('function main() { return { x: "1" } }'),
				caller: createToolNodeAgent({ type: 'workflow', provider: 'greeter', name: 'greeter' }, { name: '{{#start.name#}}' }),
			},
		});
	});
	after(cleanUpGateways);

	const openSession = (model: string, more: object) => openDebugSession(gateway, { ...body, model, ...more });

	/** Sends a command that moves, and waits for the next stop. */
	async function move(client: DebugClient, command: object): Promise<StopData> {
		const { status, json } = await client.sendCommand(command);
		assert.equal(status, 200, JSON.stringify(json));
		return client.waitForStop();
	}

	async function readText(client: DebugClient, branch: number, expression: string): Promise<string> {
		const { json } = await client.sendCommand({ command: 'evaluate', branch, expression });
		return json.value ?? json.text;
	}

	const getPlace = ({ branch, branches }: StopData) =>
		branches
			.find(({ id }) => id === branch)
			?.frames.flatMap(({ node, round }) => (node === undefined ? [] : [round === undefined ? node : `${node}[${round}]`]))
			.join(' < ');

	it('goes through a loop and parallel branches and back, with the values of each step', async () => {
		const client = await openSession('traveler', { breakpoints: [{ id: 'b', node: 'end' }] });
		let stopped = await client.waitForStop();
		const walk: unknown[] = [];
		stopped = await move(client, { command: 'step_back', branch: stopped.branch });
		stopped = await move(client, { command: 'step', branch: stopped.branch, how: 'into' });
		for (let at = 0; at < 3; at++) {
			stopped = await move(client, { command: 'step', branch: stopped.branch, how: 'over' });
			walk.push([getPlace(stopped), await readText(client, stopped.branch, 'loop.s')]);
		}
		assert.deepEqual(walk, [
			['keep < loop[0]', ''],
			['add < loop[1]', '***'],
			['keep < loop[1]', '***'],
		]);
		const { json: scopes } = await client.sendCommand({ command: 'scopes', branch: stopped.branch });
		assert.ok(scopes.scopes.some(({ path }: { path: string[] }) => path[0] === 'loop'));
		while (getPlace(stopped) !== 'start') {
			stopped = await move(client, { command: 'step_back', branch: stopped.branch });
		}
		assert.deepEqual([stopped.past?.step, stopped.past?.of], [1, 10]);
		const refused = await client.sendCommand({ command: 'step_back', branch: stopped.branch });
		assert.deepEqual([refused.status, refused.json.message], [409, 'This is the start of the run.']);
		stopped = await move(client, { command: 'present' });
		assert.deepEqual([getPlace(stopped), stopped.reason, stopped.breakpoints, stopped.past], ['end', 'breakpoint', ['b'], undefined]);
		await client.sendCommand({ command: 'continue' });
		const events = await client.stream.readRemainingEvents();
		assert.equal(events.at(-1)?.['data'].outputs.out, 'l1 Ana, r1 Ana');
		const started = events.filter(({ event, data }) => event === 'node_started' && data.node_id === 'join');
		assert.equal(started.length, 1, 'no node runs again');
		assert.ok(!JSON.stringify(events).includes(secret));
	});

	it('steps out of an agent used as a tool to the node that runs it, and into it again', async () => {
		const client = await openSession('caller', { breakpoints: [{ id: 'inner', node: 'greet', agent: 'greeter' }] });
		let stopped = await client.waitForStop();
		const walk = [getPlace(stopped)];
		for (let at = 0; at < 3; at++) {
			stopped = await move(client, { command: 'step_back', branch: stopped.branch });
			walk.push(getPlace(stopped));
		}
		assert.deepEqual(walk, ['greet < work', 'start < work', 'work', 'start']);
		await move(client, { command: 'step', branch: stopped.branch, how: 'over' });
		stopped = await move(client, { command: 'step', branch: stopped.branch, how: 'into' });
		assert.deepEqual([getPlace(stopped), stopped.branches[0]?.frames[0]?.agent], ['start < work', 'greeter']);
		assert.equal(await readText(client, stopped.branch, 'start.name'), 'Ana');
		await client.sendCommand({ command: 'set_breakpoints', breakpoints: [], failures: [] });
		await client.sendCommand({ command: 'continue' });
		assert.equal((await client.stream.readRemainingEvents()).at(-1)?.['data'].outputs.text, 'Hello Ana!');
	});

	it('reverses to earlier breakpoints and follows later ones, also those set in the past', async () => {
		const client = await openSession('traveler', { breakpoints: [{ id: 'b', node: 'end' }] });
		await client.waitForStop();
		const first = await move(client, { command: 'reverse' });
		assert.deepEqual([getPlace(first), first.reason], ['start', 'entry']);
		await client.sendCommand({
			command: 'set_breakpoints',
			breakpoints: [
				{ id: 'add', node: 'add', condition: 'loop.s !== ""' },
				{ id: 'end', node: 'end' },
			],
			failures: [],
		});
		const inside = await move(client, { command: 'continue' });
		assert.deepEqual([getPlace(inside), inside.breakpoints], ['add < loop[1]', ['add']]);
		const last = await move(client, { command: 'continue' });
		assert.deepEqual([getPlace(last), last.past], ['end', undefined]);
		await client.sendCommand({ command: 'continue' });
		assert.equal((await client.stream.readRemainingEvents()).at(-1)?.['data'].status, 'succeeded');
	});

	it('keeps changes in the past for a fork, which is debugged on its own', async () => {
		const client = await openSession('greeter', { breakpoints: [{ id: 'b', node: 'greet' }] });
		const { workflow_run_id: run } = await client.stream.waitForEvent('workflow_started');
		const { branch } = await client.waitForStop();
		assert.equal((await client.sendCommand({ command: 'fork' })).status, 409);
		await move(client, { command: 'step_back', branch });
		const set = { command: 'set_variable', branch, path: ['outputs', 'start', 'name'], value: 'Bo' };
		assert.deepEqual((await move(client, set)).past, { step: 1, of: 2, changes: 1, later: [{ node: 'greet' }] });
		const refused = await client.sendCommand({ command: 'continue' });
		assert.deepEqual(
			[refused.status, refused.json.message],
			[409, 'The values of this step were changed. Start a fork, or return to the present.'],
		);
		const { json } = await client.sendCommand({ command: 'fork' });
		assert.deepEqual(json, { part: { node: 'start', how: 'from', run, variables: { start: { name: 'Bo' } } } });
		const fork = await openSession('greeter', { ...json, inputs: {}, stop_on_entry: true, breakpoints: [{ id: 'b', node: 'greet' }] });
		const { data } = await fork.stream.waitForEvent('workflow_started');
		assert.deepEqual(data.parent, { run, node: 'start', changes: [{ selector: ['start', 'name'], value: 'Bo' }] });
		const entry = await fork.waitForStop();
		assert.deepEqual([getPlace(entry), entry.reason], ['start', 'entry']);
		assert.equal(getPlace(await move(fork, { command: 'continue' })), 'greet');
		await fork.sendCommand({ command: 'continue' });
		assert.match(JSON.stringify((await fork.stream.readRemainingEvents()).at(-1)?.['data'].outputs), /Bo/);
		assert.equal((await move(client, { command: 'present' })).past, undefined);
		await client.sendCommand({ command: 'continue' });
		assert.match(JSON.stringify((await client.stream.readRemainingEvents()).at(-1)?.['data'].outputs), /Ana/);
	});

	it('stops the run from the past', async () => {
		const client = await openSession('greeter', { breakpoints: [{ id: 'b', node: 'greet' }] });
		const { task_id: task } = await client.stream.waitForEvent('workflow_started');
		const { branch } = await client.waitForStop();
		await move(client, { command: 'step_back', branch });
		assert.equal((await client.sendCommand({ command: 'step_back', branch: 99 })).status, 409);
		await gateway.send('POST', `/v1/agent/workflows/tasks/${task}/stop`, { model: 'greeter', user: 'ana' });
		const finished = (await client.stream.readRemainingEvents()).at(-1) as StreamedEvent;
		assert.equal(finished['data'].status, 'stopped');
		assert.equal((await client.sendCommand({ command: 'present' })).status, 404);
	});

	it('stops the run whose client leaves while it looks at the past', async () => {
		const client = await openSession('greeter', { breakpoints: [{ id: 'b', node: 'greet' }] });
		const { workflow_run_id: run } = await client.stream.waitForEvent('workflow_started');
		const { branch } = await client.waitForStop();
		await move(client, { command: 'step_back', branch });
		await client.stream.cancel();
		const followed = await gateway.openFollowStream(`/v1/agent/workflows/run/${run}/events?model=greeter`);
		assert.equal((await followed.readRemainingEvents()).at(-1)?.['data'].status, 'stopped');
	});

	it('shows a recorded run with its values, and runs nothing', async () => {
		const run = async (model: string, source: string) => {
			const { json } = await gateway.send('POST', '/v1/agent/workflows/draft/run', { ...body, model, source, response_mode: 'blocking' });
			return json.workflow_run_id as string;
		};
		const source = createCodeAgent(`function main() { return { x: String(Math.random()) } }`);
		const client = await openSession('coder', { inputs: {}, recorded_run: await run('coder', source), source });
		let stopped = await client.waitForStop();
		assert.deepEqual([stopped.reason, getPlace(stopped), stopped.branches[0]?.restarts], ['end', 'end', undefined]);
		const value = await readText(client, stopped.branch, 'code.x');
		assert.match(value, /^0\.\d+$/);
		stopped = await move(client, { command: 'reverse' });
		assert.deepEqual([getPlace(stopped), stopped.past?.step, stopped.past?.of], ['start', 1, 4]);
		for (const expected of ['code', 'end', 'end']) {
			stopped = await move(client, { command: 'step', branch: stopped.branch, how: 'over' });
			assert.equal(getPlace(stopped), expected);
		}
		await client.sendCommand({ command: 'continue' });
		const finished = (await client.stream.readRemainingEvents()).at(-1) as StreamedEvent;
		assert.deepEqual(finished['data'].outputs, { x: value });

		const failing = createCodeAgent(`function main() { throw new Error('as asked') }`);
		const failed = await openSession('coder', { inputs: {}, recorded_run: await run('coder', failing), source: failing });
		stopped = await failed.waitForStop();
		assert.deepEqual([stopped.reason, getPlace(stopped)], ['failure', 'code']);
		assert.match(stopped.error ?? '', /as asked/);
		await failed.sendCommand({ command: 'continue' });
		assert.equal((await failed.stream.readRemainingEvents()).at(-1)?.['data'].status, 'failed');
	});

	it('shows the iterations of a recorded run without the secrets of the agent', async () => {
		const { json } = await gateway.send('POST', '/v1/agent/workflows/run', { ...body, model: 'traveler', response_mode: 'blocking' });
		const client = await openSession('traveler', { inputs: {}, recorded_run: json.workflow_run_id });
		let stopped = await client.waitForStop();
		const places: unknown[] = [];
		stopped = await move(client, { command: 'step_back', branch: stopped.branch });
		stopped = await move(client, { command: 'step_back', branch: stopped.branch });
		stopped = await move(client, { command: 'step', branch: stopped.branch, how: 'into' });
		for (let at = 0; at < 4; at++) {
			places.push(getPlace(stopped));
			stopped = await move(client, { command: 'step', branch: stopped.branch, how: 'over' });
		}
		assert.deepEqual(places, ['add < loop[0]', 'keep < loop[0]', 'add < loop[1]', 'keep < loop[1]']);
		assert.equal(await readText(client, stopped.branch, 'join.output'), 'l1 Ana, r1 Ana');
		await client.stream.cancel();
		const unknown = await gateway.send('POST', '/v1/agent/workflows/debug', { ...body, model: 'traveler', recorded_run: 'unknown' });
		assert.deepEqual([unknown.status, unknown.json.message], [400, 'recorded_run: This agent has no saved run with this ID.']);
	});
});

function createCodeAgent(code: string): string {
	return createAgentText(
		[
			createStartNode(),
			{ id: 'code', data: { type: 'code', code_language: 'javascript', code, variables: [], outputs: { x: { type: 'string' } } } },
			createEndNode({ x: 'code.x' }),
		],
		['start > code', 'code > end'],
	);
}
