import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createTemporaryFolder } from '../contract/gateway/gatewayProcess.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { ContainerSteps } from './support/containerSteps.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
const page = read('docs/deploying.md');
const question = JSON.stringify({ model: 'summarize', inputs: { text: 'One. Two.' }, user: 'ana', response_mode: 'blocking' });

function findPackage(): string {
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const file = path.join(root, `dist/agent-workbench-${version}.tgz`);
	assert.ok(fs.existsSync(file), 'Run "npm run package" first');
	return file;
}

async function findFreePort(): Promise<number> {
	const server = net.createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	return port;
}

/** Runs the agent `summarize`; `fetch` can't set another host. */
async function runAgent(port: number, key: string, host = `localhost:${port}`): Promise<{ status: number | undefined; text: string }> {
	const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', host };
	const request = http.request({ port, host: '127.0.0.1', path: '/v1/agent/workflows/run', method: 'POST', headers }).end(question);
	const [response] = (await once(request, 'response')) as [http.IncomingMessage];
	return { status: response.statusCode, text: await text(response) };
}

const isHealthy = async (port: number) => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.ok === true;

async function stopProcess(child: ChildProcess): Promise<number | null> {
	const exited = once(child, 'exit');
	child.kill('SIGTERM');
	const [code] = await exited;
	return code as number | null;
}

(process.platform === 'win32' ? describe.skip : describe)('deploy/Dockerfile', function () {
	this.timeout(120_000);
	let steps: ContainerSteps;
	let port: number;
	let running: ChildProcess | undefined;
	const checkHealth = async () => (await once(steps.start(steps.getCommand('HEALTHCHECK')), 'exit'))[0] as number;

	before(async () => {
		const build = createTemporaryFolder();
		fs.copyFileSync(findPackage(), path.join(build, path.basename(findPackage())));
		fs.cpSync(path.join(root, 'samples/agents'), path.join(build, 'agents'), { recursive: true });
		port = await findFreePort();
		const folder = createTemporaryFolder();
		fs.chmodSync(folder, 0o755);
		steps = new ContainerSteps(read('deploy/Dockerfile'), build, folder, port);
		steps.buildImage();
	});
	afterEach(async () => {
		if (running?.exitCode === null) {
			await stopProcess(running);
		}
	});

	it("doesn't run as root, and only the data volume belongs to its user", () => {
		assert.equal(steps.getValue('USER'), '1000');
		const uid = process.getuid?.() === 0 ? 1000 : process.getuid?.();
		const { uid: owner, mode } = fs.statSync(path.join(steps.root, steps.getValue('VOLUME')));
		assert.deepEqual([owner, mode & 0o777], [uid, 0o700]);
		if (process.getuid?.() === 0) {
			assert.equal(fs.statSync(path.join(steps.root, 'app')).uid, 0);
		}
	});

	it("doesn't start without a key", async () => {
		running = steps.start(steps.getCommand('CMD'));
		assert.deepEqual(await once(running, 'exit'), [2, null]);
	});

	it('runs agents with the key that the documented command creates, for clients of this machine only, and stops cleanly', async () => {
		const [, create] = /sh -c '([^']+)'/.exec(page) ?? [];
		assert.ok(create);
		const creating = steps.start(['sh', '-c', create]);
		const [printed] = (await once(creating.stdout!, 'data')) as [Buffer];
		const key = printed.toString().trim();
		assert.equal(key.length, 44);
		assert.equal(await checkHealth(), 1);
		running = steps.start(steps.getCommand('CMD'));
		await waitUntil('the gateway is healthy', () => isHealthy(port));
		assert.equal(await checkHealth(), 0);
		const { status, text: reply } = await runAgent(port, key);
		assert.equal(status, 200, reply);
		assert.match(reply, /"status":"succeeded"/);
		assert.equal((await runAgent(port, 'wrong')).status, 401);
		assert.equal((await runAgent(port, key, 'elsewhere.example')).status, 403);
		assert.equal(await stopProcess(running), 0);
	});
});

(process.platform === 'win32' ? describe.skip : describe)('deploy/agent-workbench.service', function () {
	this.timeout(120_000);
	const unit = read('deploy/agent-workbench.service');
	const getSetting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
	let program: string;

	before(() => {
		const folder = createTemporaryFolder();
		execFileSync('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', findPackage()], {
			cwd: folder,
			stdio: 'pipe',
		});
		program = path.join(folder, 'node_modules/.bin/agent-workbench');
	});

	it('is valid for systemd, or at least has only sections, settings and comments', () => {
		assert.deepEqual(
			unit.split('\n').filter(line => !/^(?:|#.*|\[(?:Unit|Service|Install)\]|[A-Z]\w+=\S.*)$/.test(line)),
			[],
		);
		if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
			return;
		}
		const file = path.join(createTemporaryFolder(), 'agent-workbench.service');
		fs.writeFileSync(file, unit.replace('/usr/local/bin/agent-workbench', program));
		const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
		assert.deepEqual([status, stderr], [0, '']);
	});

	/** Starts the unit's command with other folders and another port. */
	const start = (port: number, data: string, ...more: string[]) => {
		const [, ...args] = getSetting('ExecStart').split(' ');
		const places: Record<string, string> = {
			'/srv/agent-workbench/agents': path.join(root, 'samples/agents'),
			'/var/lib/agent-workbench': data,
			'8321': String(port),
		};
		return spawn(program, [...args.map(part => places[part] ?? part), ...more], { stdio: 'ignore' });
	};

	it('serves the agents with a new key that only its user can read, and stops cleanly', async () => {
		const data = createTemporaryFolder();
		const port = await findFreePort();
		const running = start(port, data);
		await waitUntil('the gateway is healthy', () => isHealthy(port));
		const file = path.join(data, 'gateway.key');
		assert.equal(fs.statSync(file).mode & 0o777, 0o600);
		const { status, text: reply } = await runAgent(port, fs.readFileSync(file, 'utf8').trim());
		assert.equal(status, 200, reply);
		assert.equal(await stopProcess(running), 0);
	});

	it("isn't restarted if an option is wrong or the store can't be opened", async () => {
		const data = createTemporaryFolder();
		const [option] = await once(start(0, data, '--retention-days', 'x'), 'exit');
		fs.writeFileSync(path.join(data, 'gateway.db'), 'not a database '.repeat(1000));
		const [store] = await once(start(0, data), 'exit');
		assert.deepEqual([option, store].map(String), getSetting('RestartPreventExitStatus').split(' '));
	});
});
