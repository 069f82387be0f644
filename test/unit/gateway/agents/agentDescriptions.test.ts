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

describe('descriptions of agent files', () => {
	let data: string;
	let folder: string;
	let read: string[];
	const closing: (() => unknown)[] = [];
	beforeEach(() => {
		data = fs.mkdtempSync(path.join(os.tmpdir(), 'descriptions-'));
		folder = path.join(data, 'agents');
		fs.mkdirSync(folder);
		fs.mkdirSync(path.join(data, 'store'));
		read = [];
		for (const name of ['one', 'two']) {
			writeAgent(name, createGreetingAgent(name));
		}
	});
	afterEach(async () => {
		await stop();
		fs.rmSync(data, { recursive: true });
	});

	const writeAgent = (name: string, text: string) => fs.writeFileSync(path.join(folder, `${name}.yml`), text);

	/** Starts as a gateway does; the engine notes the files that it reads. */
	async function start(codeVersion = 'first'): Promise<AgentRegistry> {
		const store = new Store(path.join(data, 'store'), 0, log);
		const engine = new Engine(createTestServices());
		const loader = async () => (text: string, file: string) => {
			read.push(path.basename(file));
			return engine.loadAgent(text, file);
		};
		const secrets = new AgentSecrets({ configured: new Map(), allowed: [], environment: {}, log });
		const agents = new AgentRegistry(store.agents, { loader, codeVersion }, new Set(), secrets, log);
		closing.push(
			() => agents.close(),
			() => store.close(),
		);
		await agents.addFolder(folder);
		return agents;
	}

	async function stop(): Promise<void> {
		for (const close of closing.splice(0)) {
			await close();
		}
	}

	it('are the same after a restart, which reads no file again', async () => {
		const before = await (await start()).listAgents();
		assert.deepEqual(read.splice(0), ['one.yml', 'two.yml']);
		await stop();
		const agents = await start();
		assert.deepEqual(await agents.listAgents(), before);
		assert.deepEqual(await agents.listCallableAgents(), ['one', 'two']);
		assert.deepEqual(read, []);
	});

	it('are read again for a changed file and by other code', async () => {
		await (await start()).listAgents();
		await stop();
		read.splice(0);
		writeAgent('two', createGreetingAgent('three'));
		await (await start()).listAgents();
		assert.deepEqual(read.splice(0), ['two.yml']);
		await stop();
		await (await start('second')).listAgents();
		assert.deepEqual(read, ['one.yml', 'two.yml']);
	});

	it('name the file of an invalid text after a restart', async () => {
		writeAgent('two', 'nodes: [');
		const before = await (await start()).listAgents();
		assert.match(String(before[1]?.error), /two\.yml/);
		await stop();
		read.splice(0);
		assert.deepEqual(await (await start()).listAgents(), before);
		assert.deepEqual(read, ['two.yml']);
	});
});
