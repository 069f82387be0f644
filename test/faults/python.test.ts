import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { PythonRunner } from '#engine/code/pythonRunner.ts';
import { cleanUpGateways, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { createAgentText, createEndNode, createStartNode } from '../unit/engine/run/engineFixture.ts';
import { findPython } from './support/foundPython.ts';
import { chooseSize } from './support/long.ts';

const none = new AbortController().signal;

/** Creates Python code that starts a process in a separate session. The process keeps every pipe open, and its last argument is `mark`. */
const createDaemonCode = (mark: string) => `
import os, time
def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execvp("sleep", ["sleep", "${mark}"])
        os._exit(0)
    time.sleep(0.1)
`;

/** Returns processes whose command line ends with this argument. */
function findProcesses(mark: string): readonly string[] {
	return fs.readdirSync('/proc').filter(pid => /^\d+$/.test(pid) && readTextFile(`/proc/${pid}/cmdline`).endsWith(`\0${mark}\0`));
}

function countChildren(pid: number): number {
	return fs
		.readdirSync('/proc')
		.filter(each => /^\d+$/.test(each) && Number(readTextFile(`/proc/${each}/stat`).split(') ')[1]?.split(' ')[1]) === pid).length;
}

function readTextFile(file: string): string {
	try {
		return fs.readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}
describe('Python code that refuses to end', () => {
	const python = findPython();
	before(function () {
		if (!python || process.platform !== 'linux') {
			this.skip();
		}
	});
	afterEach(cleanUpGateways);
	const createRunner = (timeoutMs = chooseSize(1_000, 10_000)) => new PythonRunner(python ?? '', { timeoutMs });

	it('leaves a daemon behind that holds its pipes: the result arrives immediately, and the daemon is ended', async () => {
		const mark = `${process.pid}001`;
		const code = `${createDaemonCode(mark)}\ndef main():\n    daemon()\n    return {"ok": True}`;
		assert.deepEqual(await createRunner(20_000).run(code, {}, none), { ok: true });
		assert.deepEqual(findProcesses(mark), []);
	});

	it('never ends, with a daemon and threads: all are ended at its time limit', async () => {
		const mark = `${process.pid}002`;
		const code = `${createDaemonCode(mark)}\nimport threading, signal\nfor s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)\ndef main():\n    daemon()\n    threading.Thread(target=time.sleep, args=(600,)).start()\n    while True: pass`;
		await assert.rejects(createRunner().run(code, {}, none), /didn't finish within/);
		assert.deepEqual(findProcesses(mark), []);
	});

	it('stops or kills its watchdog process: it is ended at its time limit', async () => {
		for (const signal of ['SIGSTOP', 'SIGKILL']) {
			const code = `import os, signal, time\ndef main():\n    os.kill(os.getppid(), signal.${signal})\n    time.sleep(600)`;
			await assert.rejects(createRunner().run(code, {}, none), /didn't finish within|exited without a result/);
		}
		assert.equal(countChildren(process.pid), 0);
	});

	it('forks as fast as it can: it is ended at its time limit with all its processes', async () => {
		const mark = `${process.pid}003`;
		const code = `${createDaemonCode(mark)}\ndef main():\n    for _ in range(100):\n        if os.fork() == 0:\n            os.setsid()\n            os.execvp("sleep", ["sleep", "${mark}"])\n    time.sleep(600)`;
		await assert.rejects(createRunner().run(code, {}, none), /didn't finish within/);
		assert.deepEqual(findProcesses(mark), []);
	});

	it('gets four processes for 120 concurrent calls, and every call is answered', async () => {
		const shared = createRunner(60_000);
		let most = 0;
		const watch = setInterval(() => {
			most = Math.max(most, countChildren(process.pid));
		}, 10);
		const count = chooseSize(24, 120);
		const code = 'def main(n):\n    return {"n": n}';
		const replies = await Promise.all(Array.from({ length: count }, (_, n) => shared.run(code, { n }, none)));
		clearInterval(watch);
		assert.deepEqual(replies.at(-1), { n: count - 1 });
		assert.ok(most <= 4, `${most} processes`);
	});

	it('fails with a message if there are no file descriptors left, and the next call works', async () => {
		const shared = createRunner(20_000);
		const code = 'def main():\n    return {}';
		await shared.run(code, {}, none);
		const held: number[] = [];
		try {
			for (;;) {
				held.push(fs.openSync('/dev/null', 'r'));
			}
		} catch {
			// all descriptors are used
		}
		const failed = assert.rejects(shared.run(code, {}, none), /CodeFailure: Couldn't start Python/);
		await failed.finally(() => {
			for (const descriptor of held) {
				fs.closeSync(descriptor);
			}
		});
		assert.deepEqual(await shared.run(code, {}, none), {});
	});

	it("can't read the gateway's environment from parent processes if bubblewrap is available", async function () {
		if (!hasBubblewrap()) {
			this.skip();
		}
		process.env['ENGINE_TEST_SECRET'] = 's';
		const code = `import glob
def main():
    found = []
    for name in glob.glob("/proc/[0-9]*/environ"):
        try:
            found.append(open(name, "rb").read().decode())
        except OSError:
            pass
    try:
        open("/tmp/code-faults-written", "w").close()
        found.append("written")
    except OSError:
        pass
    return {"found": "".join(found)}`;
		const reply = (await createRunner().run(code, {}, none)) as { readonly found: string };
		delete process.env['ENGINE_TEST_SECRET'];
		assert.doesNotMatch(reply.found, /HOME=|written/);
	});

	const createHangingAgent = (mark: string) =>
		createAgentText(
			[
				createStartNode(),
				{
					id: 'code',
					data: {
						type: 'code',
						code_language: 'python3',
						code: `${createDaemonCode(mark)}\ndef main():\n    daemon()\n    while True: pass`,
						outputs: {},
					},
				},
				createEndNode({}),
			],
			['start > code', 'code > end'],
		);
	const startHangingGateway = async (mark: string) => {
		const gateway = await startGateway({ agents: { hanging: createHangingAgent(mark) }, config: { engine: { python } } });
		const order = { model: 'hanging', inputs: {}, user: 'ana', response_mode: 'streaming' };
		const stream = await gateway.openStream('/v1/agent/workflows/run', order);
		await waitUntil('the daemon', () => findProcesses(mark).length === 1);
		return { gateway, stream };
	};

	it('leaves nothing behind if the gateway is killed', async () => {
		const mark = `${process.pid}004`;
		const { gateway } = await startHangingGateway(mark);
		await gateway.endProcess('SIGKILL');
		await waitUntil('the end of the daemon', () => findProcesses(mark).length === 0);
	});

	it('leaves nothing behind if its run is stopped, and others are answered meanwhile', async () => {
		const mark = `${process.pid}005`;
		const { gateway, stream } = await startHangingGateway(mark);
		assert.equal((await fetch(new URL('/healthz', gateway.baseUrl))).status, 200);
		const { task_id: task } = await stream.waitForEvent('workflow_started');
		assert.equal((await gateway.send('POST', `/v1/agent/workflows/tasks/${task}/stop`, { model: 'hanging', user: 'ana' })).status, 200);
		assert.equal((await stream.waitForEvent('workflow_finished'))['data'].status, 'stopped');
		await waitUntil('the end of the daemon', () => findProcesses(mark).length === 0);
	});
});

function hasBubblewrap(): boolean {
	try {
		execFileSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--', 'true'], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
}
