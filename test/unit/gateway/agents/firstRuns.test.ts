import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AgentRegistry } from '#gateway/agents/agentRegistry.ts';
import { AgentSecrets } from '#gateway/agents/agentSecrets.ts';
import { Log } from '#gateway/process/log.ts';
import { Engine } from '#gateway/runs/engine.ts';
import { Store } from '#gateway/store/store.ts';
import { createGreetingAgent } from '../../../contract/gateway/agents.ts';
import { createTestServices } from '../../engine/run/engineFixture.ts';

const log = new Log('json', () => {});
const count = 20;

describe('first runs of an unpublished agent', () => {
	let data: string;
	let folder: string;
	let store: Store;
	let agents: AgentRegistry;
	beforeEach(async () => {
		data = fs.mkdtempSync(path.join(os.tmpdir(), 'first-runs-'));
		folder = path.join(data, 'agents');
		fs.mkdirSync(folder);
		fs.mkdirSync(path.join(data, 'store'));
		writeAgent('greeter', 'One');
		store = new Store(path.join(data, 'store'), 0, log);
		const engine = new Engine(createTestServices());
		const secrets = new AgentSecrets({ configured: new Map(), allowed: [], environment: {}, log });
		agents = new AgentRegistry(store.agents, { loader: async () => engine.loadAgent, codeVersion: 'test' }, new Set(), secrets, log);
		await agents.addFolder(folder);
	});
	afterEach(async () => {
		agents.close();
		await store.close();
		fs.rmSync(data, { recursive: true });
	});

	const getFile = (name: string) => path.join(folder, `${name}.yml`);
	const writeAgent = (name: string, word: string) => fs.writeFileSync(getFile(name), createGreetingAgent(word));
	/** Returns the workflow of each run, or why it failed. */
	const getFirst = (name = 'greeter') =>
		agents.getPublishedVersion(name).then(
			({ workflowId }) => workflowId,
			(error: Error) => error.message,
		);

	it('publish the current file exactly once, even if several start at the same time', async () => {
		writeAgent('greeter', 'Two');
		const ids = await Promise.all(Array.from({ length: count }, () => getFirst()));
		assert.deepEqual([new Set(ids).size, ids[0] === undefined], [1, false]);
		assert.equal((await agents.getPublishedSource('greeter')).source, createGreetingAgent('Two'));
		assert.equal((await agents.getPublishedSource('greeter')).workflow_id, ids[0]);
	});

	it('run a version that was published explicitly or by themselves, never an unpublished one', async () => {
		const [published, ...ids] = await Promise.all([agents.publishAgent('greeter'), ...Array.from({ length: count }, () => getFirst())]);
		const versions = new Set(ids);
		assert.ok(versions.size <= 2, [...versions].join());
		assert.equal((await agents.getPublishedSource('greeter')).workflow_id, published.workflow_id);
		assert.ok(
			[...versions].every(id => id === published.workflow_id || store.agents.getVersion(id)?.source === createGreetingAgent('One')),
		);
	});

	it('publish nothing if the agent is unpublished meanwhile', async () => {
		const runs = Array.from({ length: count }, () => getFirst());
		await agents.unpublishAgent('greeter');
		assert.deepEqual([...new Set(await Promise.all(runs))], ['Workflow not published']);
		assert.equal((await agents.getPublishedSource('greeter')).source, null);
	});

	it('are refused if the file disappears or becomes invalid, without publishing another file instead', async () => {
		fs.writeFileSync(getFile('other'), createGreetingAgent('Other').replace(/name: .*/, 'name: greeter'));
		fs.rmSync(getFile('greeter'));
		assert.match(await getFirst(), /^Agent not found: 'greeter'/);
		assert.equal(store.agents.get('other')?.workflow_id ?? null, null);
		writeAgent('greeter', 'One');
		await agents.getPublishedVersion('other');
		fs.writeFileSync(getFile('greeter'), 'app: { mode: workflow }\nworkflow: {');
		assert.match(await getFirst(), /^(Agent not found|Couldn't load the agent)/);
		assert.equal(store.agents.get('greeter')?.workflow_id ?? null, null);
	});
});
