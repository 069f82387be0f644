import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { ConnectionsUnderTest, isProcessAlive } from '../../support/editor/connectionsUnderTest.ts';
import { MemorySecrets } from '../../support/editor/memorySecrets.ts';
import { waitUntil } from '../../support/waitUntil.ts';

describe('the built-in gateway', () => {
	let window: ConnectionsUnderTest;
	beforeEach(() => {
		window = new ConnectionsUnderTest();
	});
	afterEach(() => window.dispose());

	it('starts once, on first use, and lists the agents of the workspace', async () => {
		const { registry } = window;
		assert.equal(registry.state('built-in').kind, 'idle');
		const states: string[] = [];
		registry.onDidChange(() => states.push(registry.state('built-in').kind));
		const [agents] = await Promise.all([registry.listAgents('built-in'), registry.listAgents('built-in'), registry.getClient('built-in')]);
		assert.deepEqual(states, ['starting', 'ready']);
		assert.ok(agents.some(agent => agent.name === 'summarize'));
	});

	it('stores its key in one file that only this user account can read', async () => {
		await window.registry.listAgents('built-in');
		const file = path.join(window.dataFolder, 'gateway.key');
		const key = fs.readFileSync(file, 'utf8').trim();
		assert.match(key, /^awb-[\w-]{43}$/);
		assert.equal(process.platform === 'win32' || (fs.statSync(file).mode & 0o777) === 0o600, true);
		assert.deepEqual(await window.secrets.keys(), []);
		assert.ok(!window.log.lines.some(line => line.includes(key)), 'in the log');
		for (const entry of fs.readdirSync(window.dataFolder, { recursive: true, withFileTypes: true }).filter(each => each.isFile())) {
			const text = fs.readFileSync(path.join(entry.parentPath, entry.name), 'utf8');
			assert.equal(text.includes(key), entry.name === 'gateway.key', `in ${entry.name}`);
		}
		if (process.platform === 'linux') {
			assert.ok(!fs.readFileSync(`/proc/${window.readGatewayPid()}/cmdline`, 'utf8').includes(key), 'in the process list');
			assert.ok(!fs.readFileSync(`/proc/${window.readGatewayPid()}/environ`, 'utf8').includes(key), 'in the environment');
		}
	});

	it('is shared by windows with the same data folder', async () => {
		const first = await window.gateway.getEndpoint();
		const other = new ConnectionsUnderTest(window);
		const second = await other.gateway.getEndpoint();
		assert.equal(second.baseUrl, first.baseUrl);
		other.gateway.dispose();
		assert.equal((await window.registry.listAgents('built-in')).length > 0, true, 'still there for the first');
		await other.dispose();
	});

	it('starts once if two windows need it at the same time', async () => {
		const other = new ConnectionsUnderTest(window);
		const [first, second] = await Promise.all([window.gateway.getEndpoint(), other.gateway.getEndpoint()]);
		assert.equal(second.baseUrl, first.baseUrl);
		await other.dispose();
	});

	it('is shared with a window on another machine, with another keyring, if the data folder is remote', async () => {
		const { baseUrl } = await window.gateway.getEndpoint();
		const before = window.readGatewayPid();
		const other = new ConnectionsUnderTest({ dataFolder: window.dataFolder, secrets: new MemorySecrets() });
		assert.equal((await other.gateway.getEndpoint()).baseUrl, baseUrl);
		assert.equal(window.readGatewayPid(), before);
		other.closeWindow();
		assert.ok((await window.registry.listAgents('built-in')).length > 0);
	});

	it("that refuses this window's key, and may have runs of other windows, is ended only by a restart", async () => {
		await window.gateway.getEndpoint();
		const before = window.readGatewayPid();
		fs.writeFileSync(path.join(window.dataFolder, 'gateway.key'), `awb-${'x'.repeat(43)}\n`);
		const stranger = new ConnectionsUnderTest({ dataFolder: window.dataFolder, secrets: new MemorySecrets() });
		await assert.rejects(stranger.gateway.getEndpoint(), {
			reason: 'gateway-start',
			message: /refused the key in gateway\.key/,
			remedy: { title: 'Restart gateway', command: 'agentWorkbench.gateway.restart' },
		});
		assert.ok(isProcessAlive(before));
		await stranger.gateway.restartGateway();
		assert.notEqual(window.readGatewayPid(), before);
		assert.ok(!isProcessAlive(before));
		stranger.closeWindow();
	});

	it('that has crashed is reported as ended, and starts again on next use', async () => {
		const first = await window.gateway.getEndpoint();
		process.kill(window.readGatewayPid(), 'SIGKILL');
		await waitUntil('the crash is seen', () => window.registry.state('built-in').kind === 'failed');
		const second = await window.gateway.getEndpoint();
		assert.notEqual(second.baseUrl, first.baseUrl);
		assert.equal(window.registry.state('built-in').kind, 'ready');
	});

	for (const lock of [
		{ what: 'of another version', instance: {} },
		{ what: 'of this one', instance: { instance: 'left-behind' } },
	]) {
		it(`leaves the process alone that a stale lock ${lock.what} names, and only probes its port`, async () => {
			const innocent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
				env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
			});
			const heard: string[] = [];
			const listener = http.createServer((request, response) => {
				heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
				response.writeHead(401).end();
			});
			await once(listener.listen(0, '127.0.0.1'), 'listening');
			const { port } = listener.address() as AddressInfo;
			const file = path.join(window.dataFolder, 'gateway.lock');
			const writeLock = () => fs.writeFileSync(file, JSON.stringify({ pid: innocent.pid, port, started: '', ...lock.instance }));
			try {
				writeLock();
				await window.gateway.getEndpoint();
				process.kill(window.readGatewayPid(), 'SIGKILL');
				await waitUntil('the end is seen', () => window.registry.state('built-in').kind === 'failed');
				writeLock();
				await window.gateway.restartGateway();
				assert.equal(innocent.exitCode ?? innocent.signalCode, null);
				assert.deepEqual(
					heard.filter(line => !line.startsWith('GET /healthz ') || line.includes('authorization')),
					[],
				);
			} finally {
				innocent.kill();
				listener.close();
			}
		});
	}

	it("that doesn't respond is ended by a restart", async function () {
		if (process.platform === 'win32') {
			this.skip();
		}
		await window.gateway.getEndpoint();
		const before = window.readGatewayPid();
		process.kill(before, 'SIGSTOP');
		await window.gateway.restartGateway();
		assert.notEqual(window.readGatewayPid(), before);
	});

	it('with a damaged store reports it, and offers a new store that keeps the old one', async () => {
		const damaged = Buffer.from('not a database '.repeat(1000));
		fs.writeFileSync(path.join(window.dataFolder, 'gateway.db'), damaged);
		await assert.rejects(window.gateway.getEndpoint(), {
			reason: 'gateway-start',
			message: /^Couldn't start the built-in gateway\. .*gateway\.db is damaged/,
			remedy: { title: 'Start with empty store', command: 'agentWorkbench.gateway.setAsideStore' },
		});
		await window.gateway.startWithNewStore();
		assert.equal(window.registry.state('built-in').kind, 'ready');
		assert.ok((await window.registry.listAgents('built-in')).length > 0);
		const [aside = ''] = fs.globSync('set-aside-*/gateway.db', { cwd: window.dataFolder });
		assert.deepEqual(fs.readFileSync(path.join(window.dataFolder, aside)), damaged);
		// the next start is a normal one
		await window.gateway.restartGateway();
		assert.equal(fs.globSync('set-aside-*', { cwd: window.dataFolder }).length, 1);
	});

	it("of an older build, which doesn't identify itself, is reported as serving the folder", async () => {
		await window.gateway.getEndpoint();
		const file = path.join(window.dataFolder, 'gateway.lock');
		const { instance: _, ...lock } = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>;
		fs.writeFileSync(file, JSON.stringify(lock));
		const other = new ConnectionsUnderTest(window);
		await assert.rejects(other.gateway.getEndpoint(), {
			reason: 'gateway-start',
			message: /different version of the gateway is running for this workspace \(process \d+\).*It will stop when/,
			remedy: { title: 'Try again', command: 'agentWorkbench.gateway.restart' },
		});
		assert.ok(isProcessAlive(window.readGatewayPid()));
		other.closeWindow();
	});

	it("that can't start reports why", async () => {
		fs.rmSync(window.dataFolder, { recursive: true });
		fs.writeFileSync(window.dataFolder, 'a file in the place of the folder');
		await assert.rejects(window.gateway.getEndpoint(), {
			reason: 'gateway-start',
			message: /^Couldn't start the built-in gateway\. .*(not a directory|exist)/,
		});
		assert.equal(window.registry.state('built-in').kind, 'failed');
	});
});
