import assert from 'node:assert/strict';
import type { RunParent } from '#contract/partialRun.ts';
import type { UsageEntry } from '#contract/text/textCalls.ts';
import { createModelChain } from './agents.ts';
import { cleanUpGateways, type GatewayProcess, type StreamedEvent, startGateway } from './gatewayProcess.ts';

const prompts = Array.from({ length: 10 }, (_, i) => `Question ${i + 1}:`);
const config = { routes: [{ model: '*', provider: 'offline', price: { input: 1000, output: 2000, currency: 'EUR' } }] };

interface Run {
	readonly id: string;
	readonly outputs: Readonly<Record<string, string>>;
	readonly parent: RunParent | undefined;
	/** Data of the finished LLM nodes. */
	readonly asked: readonly StreamedEvent['data'][];
	/** Number of model calls. */
	readonly calls: number;
}

describe('forks', () => {
	let gateway: GatewayProcess;
	before(async () => {
		gateway = await startGateway({ agents: { chain: createModelChain(prompts) }, config });
	});
	after(cleanUpGateways);

	async function countCalls(): Promise<number> {
		const { json } = await gateway.send('GET', '/v1/agent/usage?from=2020-01-01&to=2999-12-31&by=agent');
		return (json.data as UsageEntry[]).find(({ name }) => name === 'chain')?.calls ?? 0;
	}

	async function readRun(path: string, body: object): Promise<Run> {
		const before = await countCalls();
		const asked = { model: 'chain', inputs: {}, response_mode: 'streaming', user: 'ana', ...body };
		const events = await (await gateway.openStream(path, asked)).readRemainingEvents();
		const started = events.find(({ event }) => event === 'workflow_started')?.['data'];
		const nodes = events.filter(({ event, data }) => event === 'node_finished' && data.node_type === 'llm').map(({ data }) => data);
		const { status, error, outputs } = events.at(-1)?.['data'] ?? {};
		assert.equal(status, 'succeeded', error);
		return { id: started.id, outputs, parent: started.parent, asked: nodes, calls: (await countCalls()) - before };
	}

	/** Runs the agent in a debug session without breakpoints. */
	const debug = (body: object = { inputs: { name: 'Ana' } }) => readRun('/v1/agent/workflows/debug', body);
	const fork = (run: string, part: object, body: object = {}) =>
		readRun('/v1/agent/workflows/draft/run', { ...body, part: { how: 'from', run, ...part } });

	it('without a change cost nothing and equal their parent', async () => {
		const parent = await debug();
		assert.equal(parent.calls, 10);
		const { json } = await gateway.send('GET', `/v1/agent/workflows/run/${parent.id}?model=chain`);
		assert.equal(json.kept_replies, 10);
		const forked = await fork(parent.id, { node: 'ask1' });
		assert.equal(forked.calls, 0);
		assert.deepEqual(forked.outputs, parent.outputs);
		assert.deepEqual(forked.parent, { run: parent.id, node: 'ask1', changes: [] });
		const prices = parent.asked.map(({ execution_metadata: { total_price: price } }) => price);
		assert.deepEqual(
			forked.asked.map(({ replayed, saved_price: saved }) => [replayed, saved]),
			prices.map(price => [true, price]),
		);
		const later = await fork(parent.id, { node: 'ask9' });
		assert.deepEqual(
			later.asked.map(({ recorded = false, replayed = false, saved_price: saved }) => [recorded, replayed, saved]),
			prices.map((price, i) => [i < 8, i >= 8, price]),
		);
	});

	it('make one model call if they change the last of ten nodes', async () => {
		const parent = await debug();
		const source = createModelChain([...prompts.slice(0, 9), 'Something else:']);
		for (const node of ['ask1', 'ask10']) {
			const forked = await fork(parent.id, { node }, { source });
			assert.equal(forked.calls, 1);
			const { ask10: changed, ...others } = forked.outputs;
			assert.deepEqual({ ...others, ask10: parent.outputs['ask10'] }, parent.outputs);
			assert.notEqual(changed, parent.outputs['ask10']);
		}
	});

	it('of forks reuse the replies of both, and ask again if they are told to', async () => {
		const parent = await debug();
		const source = createModelChain([...prompts.slice(0, 9), 'Something else:']);
		const forked = await fork(parent.id, { node: 'ask10' }, { source });
		const changed = { ask9: { text: 'Other words' } };
		const second = await fork(forked.id, { node: 'ask10', variables: changed }, { source });
		assert.equal(second.calls, 1);
		assert.deepEqual(second.parent, {
			run: forked.id,
			node: 'ask10',
			changes: [{ selector: ['ask9', 'text'], value: 'Other words' }],
		});
		// the fork never asked for these, its parent did
		assert.equal((await fork(second.id, { node: 'ask1' }, { source })).calls, 0);
		assert.equal((await fork(second.id, { node: 'ask1' })).calls, 0);
		assert.equal((await fork(second.id, { node: 'ask10', replies: false }, { source })).calls, 1);
	});

	it('run at the same time without disturbing each other', async () => {
		const parent = await debug();
		const asked = { model: 'chain', inputs: {}, response_mode: 'blocking', user: 'ana' };
		const before = await countCalls();
		const runs = await Promise.all(
			[0, 1, 2].map(i =>
				gateway.send('POST', '/v1/agent/workflows/draft/run', {
					...asked,
					part: { how: 'from', run: parent.id, node: 'ask10', variables: i === 0 ? {} : { ask9: { text: `Words ${i}` } } },
				}),
			),
		);
		assert.equal(await countCalls(), before + 2);
		assert.deepEqual(runs[0]?.json.data.outputs, parent.outputs);
		assert.equal(new Set(runs.map(({ json }) => json.data.outputs.ask10)).size, 3);
	});

	it('start from a run that is paused in a debugger or was stopped, at the nodes that it reached', async () => {
		const stream = await gateway.openStream('/v1/agent/workflows/debug', {
			model: 'chain',
			inputs: { name: 'Bo' },
			response_mode: 'streaming',
			user: 'ana',
			breakpoints: [{ id: 'b', node: 'ask5' }],
		});
		const run = (await stream.waitForEvent('workflow_started'))['workflow_run_id'];
		await stream.waitForEvent('debug_stopped');
		const first = await fork(run, { node: 'ask3' });
		assert.equal(first.calls, 6);
		await stream.cancel();
		assert.equal((await fork(run, { node: 'ask3' })).calls, 6);
		assert.equal((await fork(first.id, { node: 'ask3' })).calls, 0);
		const { status, json } = await gateway.send('POST', '/v1/agent/workflows/draft/run', {
			model: 'chain',
			inputs: {},
			response_mode: 'blocking',
			user: 'ana',
			part: { how: 'from', run, node: 'ask5' },
		});
		assert.equal(status, 400);
		assert.match(json.message, /^part\.run: that run didn't reach the node/);
	});

	it('of an edited agent run renamed nodes again, with their replies, and name a node that is gone', async () => {
		const parent = await debug();
		const source = createModelChain(prompts).replaceAll('ask2', 'second');
		const forked = await fork(parent.id, { node: 'ask5' }, { source });
		assert.equal(forked.calls, 0);
		assert.equal(forked.outputs['second'], parent.outputs['ask2']);
		const { status, json } = await gateway.send('POST', '/v1/agent/workflows/draft/run', {
			model: 'chain',
			inputs: {},
			response_mode: 'blocking',
			user: 'ana',
			source,
			part: { how: 'from', run: parent.id, node: 'ask2' },
		});
		assert.equal(status, 400);
		assert.match(json.message, /^part\.node: the agent has no reachable node 'ask2'/);
	});

	it('ask again for what a run without kept replies got', async () => {
		const parent = await readRun('/v1/agent/workflows/run', { inputs: { name: 'Ana' } });
		const { json } = await gateway.send('GET', `/v1/agent/workflows/run/${parent.id}?model=chain`);
		assert.equal('kept_replies' in json, false);
		const forked = await fork(parent.id, { node: 'ask9' });
		assert.equal(forked.calls, 2);
		assert.deepEqual(forked.outputs, parent.outputs);
	});

	it('ask again after the gateway has started again, which drops the replies', async () => {
		const parent = await debug();
		await gateway.endProcess();
		gateway = await startGateway({ agents: { chain: createModelChain(prompts) }, data: gateway.data, config });
		const { json } = await gateway.send('GET', `/v1/agent/workflows/run/${parent.id}?model=chain`);
		assert.equal('kept_replies' in json, false);
		assert.equal((await fork(parent.id, { node: 'ask10' })).calls, 1);
	});
});
