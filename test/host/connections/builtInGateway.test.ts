import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ConnectionsUnderTest, isAlive, until } from '../support/connectionsUnderTest.ts';
import { MemorySecrets } from '../support/memorySecrets.ts';

describe('the built-in gateway', () => {
	let window: ConnectionsUnderTest;
	beforeEach(() => {
		window = new ConnectionsUnderTest();
	});
	afterEach(() => window.dispose());

	it('starts on first use, once, and lists the agents of the workspace', async () => {
		const { registry } = window;
		assert.equal(registry.state('built-in').kind, 'idle');
		const states: string[] = [];
		registry.onDidChange(() => states.push(registry.state('built-in').kind));
		const [agents] = await Promise.all([registry.agents('built-in'), registry.agents('built-in'), registry.client('built-in')]);
		assert.deepEqual(states, ['starting', 'ready']);
		assert.ok(agents.some(agent => agent.name === 'summarize'));
	});

	it('keeps its key in SecretStorage alone', async () => {
		await window.registry.agents('built-in');
		const [name] = await window.secrets.keys();
		const key = await window.secrets.get(name!);
		assert.match(key!, /^awb-[\w-]{43}$/);
		assert.ok(!window.log.lines.some(line => line.includes(key!)), 'in the log');
		for (const entry of fs.readdirSync(window.dataFolder, { recursive: true, withFileTypes: true }).filter(each => each.isFile())) {
			assert.ok(!fs.readFileSync(path.join(entry.parentPath, entry.name)).includes(key!), `in ${entry.name}`);
		}
		if (process.platform === 'linux') {
			assert.ok(!fs.readFileSync(`/proc/${window.gatewayProcess()}/cmdline`, 'utf8').includes(key!), 'in the process list');
			assert.ok(!fs.readFileSync(`/proc/${window.gatewayProcess()}/environ`, 'utf8').includes(key!), 'in the environment');
		}
	});

	it('is shared by windows on the same data folder', async () => {
		const first = await window.gateway.endpoint();
		const other = new ConnectionsUnderTest(window);
		const second = await other.gateway.endpoint();
		assert.equal(second.baseUrl, first.baseUrl);
		other.gateway.dispose();
		assert.equal((await window.registry.agents('built-in')).length > 0, true, 'still there for the first');
		await other.dispose();
	});

	it('is one even where two windows start it at the same moment', async () => {
		const other = new ConnectionsUnderTest(window);
		const [first, second] = await Promise.all([window.gateway.endpoint(), other.gateway.endpoint()]);
		assert.equal(second.baseUrl, first.baseUrl);
		await other.dispose();
	});

	it('that does not know the key of this window is asked to end, and started anew', async () => {
		await window.gateway.endpoint();
		const before = window.gatewayProcess();
		const stranger = new ConnectionsUnderTest({ dataFolder: window.dataFolder, secrets: new MemorySecrets() });
		await stranger.gateway.endpoint();
		assert.notEqual(window.gatewayProcess(), before);
		assert.ok(!isAlive(before));
		await stranger.dispose();
	});

	it('that crashed is said to have ended, and starts again at the next use', async () => {
		const first = await window.gateway.endpoint();
		process.kill(window.gatewayProcess(), 'SIGKILL');
		await until('the crash is seen', () => window.registry.state('built-in').kind === 'failed');
		const second = await window.gateway.endpoint();
		assert.notEqual(second.baseUrl, first.baseUrl);
		assert.equal(window.registry.state('built-in').kind, 'ready');
	});

	it('does not end a process that a lock left behind happens to name', async () => {
		const innocent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } });
		fs.writeFileSync(path.join(window.dataFolder, 'gateway.lock'), JSON.stringify({ pid: innocent.pid, port: 9, started: '' }));
		await window.gateway.endpoint();
		assert.equal(innocent.exitCode ?? innocent.signalCode, null);
		innocent.kill();
	});

	it('that cannot start says why', async () => {
		fs.rmSync(window.dataFolder, { recursive: true });
		fs.writeFileSync(window.dataFolder, 'a file in the place of the folder');
		await assert.rejects(window.gateway.endpoint(), { reason: 'gateway-start', message: /^The built-in gateway did not start: .*exist/ });
		assert.equal(window.registry.state('built-in').kind, 'failed');
	});
});
