import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'junit2json';
import { createGreeter, createWaiter } from '../contract/gateway/agents.ts';
import { cleanUp, createTemporaryFolder, type GatewayProcess, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { cliProgram, endClis, startCli } from './cliProcess.ts';
import { FakeService } from './fakeService.ts';

const isWindows = process.platform === 'win32';

/** Cases of the suites for the greeter. */
function createGreetings(...names: readonly string[]): object {
	const cases = names.map(name => ({
		name: `greets ${name}`,
		inputs: { name },
		expect: [{ output: 'greeting', equals: `Hello ${name}!` }],
	}));
	return { model: 'hello', cases };
}

/** A working folder with agents and suites, and functions that run commands in it. */
class Project {
	readonly folder = fs.realpathSync(createTemporaryFolder());

	constructor(agents: Readonly<Record<string, string>> = { hello: createGreeter() }) {
		fs.mkdirSync(path.join(this.folder, 'agents'));
		for (const [name, text] of Object.entries(agents)) {
			this.write(`agents/${name}.yml`, text);
		}
	}

	write(file: string, content: string | object): void {
		fs.mkdirSync(path.dirname(path.join(this.folder, file)), { recursive: true });
		fs.writeFileSync(path.join(this.folder, file), typeof content === 'string' ? content : JSON.stringify(content, undefined, '\t'));
	}

	read(file: string): string {
		return fs.readFileSync(path.join(this.folder, file), 'utf8');
	}

	start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
		return startCli(['test', ...args], { cwd: this.folder, env: { ...process.env, GITHUB_STEP_SUMMARY: '', ...env } });
	}

	run(args: readonly string[], env?: NodeJS.ProcessEnv) {
		return this.start(args, env).ended;
	}

	/** Names of the cases in a JUnit file, in file order. */
	async listCases(file: string): Promise<string[]> {
		const { testsuite } = (await parse(this.read(file))) as { testsuite?: { testcase?: { name: string }[] }[] };
		return (testsuite ?? []).flatMap(({ testcase }) => (testcase ?? []).map(({ name }) => name));
	}
}

const getKey = (gateway: GatewayProcess): NodeJS.ProcessEnv => ({ AGENT_WORKBENCH_KEY: gateway.apiKey });

/** Returns the logged statuses of an agent's runs. */
async function listStatuses(gateway: GatewayProcess, model: string): Promise<string[]> {
	const logs = await gateway.agent('GET', `/v1/agent/workflows/logs?model=${model}&limit=100`);
	return logs.json.data.map((each: { workflow_run: { status: string } }) => each.workflow_run.status);
}

/** Returns the process IDs of programs with this text in their arguments. */
function findProgramsWith(text: string): string[] {
	const readCommandLine = (id: string) => {
		try {
			return fs.readFileSync(`/proc/${id}/cmdline`, 'utf8');
		} catch {
			return '';
		}
	};
	return fs.readdirSync('/proc').filter(id => /^\d+$/.test(id) && readCommandLine(id).includes(text));
}
describe('agent-workbench test', () => {
	afterEach(async () => {
		await endClis();
		await cleanUp();
	});

	it('exits with 0 if all checks pass, prints a line per case and leaves no files behind', async () => {
		const project = new Project();
		project.write('tests/a.suite.json', createGreetings('Ana', 'Bo'));
		const temp = createTemporaryFolder();
		const { code, stdout, stderr } = await project.run([], { TMPDIR: temp, TMP: temp, TEMP: temp, NO_COLOR: '1' });
		assert.equal(code, 0, stdout + stderr);
		assert.match(stdout, /^✔ a › greets Ana /m);
		assert.match(stdout, /^✔ a › greets Bo /m);
		assert.match(stdout, /^■ a {2}2 passed, 0 failed /m);
		assert.deepEqual(fs.readdirSync(temp), []);
	});

	it('finds the nearest agents folder above the suites if the working folder has none', async () => {
		const project = new Project();
		project.write('suites/deep/a.suite.json', createGreetings('Ana'));
		const { code, stdout, stderr } = await startCli(['test', `${path.basename(project.folder)}/suites`], {
			cwd: path.dirname(project.folder),
		}).ended;
		assert.equal(code, 0, stdout + stderr);
		assert.match(stdout, /1 passed, 0 failed/);
	});

	it('exits with 1 if a check fails, and explains it in text, JUnit, Markdown, annotations and lcov', async () => {
		const project = new Project();
		const wrong = { name: 'greets nobody', inputs: { name: 'Cy' }, expect: [{ output: 'greeting', equals: 'Bye' }] };
		project.write('a.suite.json', { ...createGreetings('Ana'), cases: [...(createGreetings('Ana') as { cases: object[] }).cases, wrong] });
		const reports = ['--junit', 'out/j.xml', '--markdown', 'out/m.md', '--coverage', 'out/c.lcov', '--github'];
		const { code, stdout, stderr } = await project.run(reports);
		assert.equal(code, 1, stdout + stderr);
		assert.match(stdout, /^✖ a › greets nobody {2}a\.suite\.json:\d+$/m);
		assert.match(stdout, /^ {2}│ .*Hello Cy!/m);
		assert.match(stdout, /^::error file=a\.suite\.json,line=\d+,col=\d+,title=a › greets nobody::/m);
		assert.match(project.read('out/j.xml'), /<testcase name="greets nobody"[^>]*><failure message="[^"]+" type="equals">/);
		assert.deepEqual((await project.listCases('out/j.xml')).sort(), ['greets Ana', 'greets nobody']);
		assert.match(project.read('out/m.md'), /\| ❌ a \| 1 \| 1 \| 0 \|/);
		assert.match(project.read('out/c.lcov'), /^SF:agents\/hello\.yml$/m);
	});

	describe('exits with 2', () => {
		it('for an invalid suite, with file, line and expected value in one sentence; other suites still run', async () => {
			const project = new Project();
			project.write('good.suite.json', createGreetings('Ana'));
			project.write('bad.suite.json', '{\n\t"model": "helo",\n\t"cases": [{ "name": "x", "inputs": { "name": "A" } }]\n}');
			const { code, stdout, stderr } = await project.run(['--github']);
			assert.equal(code, 2);
			assert.match(stderr, /^bad\.suite\.json:2:\d+: error: .*hello/m);
			assert.match(stdout + stderr, /^::error file=bad\.suite\.json,line=2,/m);
			assert.match(stdout, /^✔ good › greets Ana /m);
			assert.doesNotMatch(stdout, /bad ›/);
		});

		it('if no suite is found or no case matches the filter', async () => {
			const project = new Project();
			const none = await project.run([]);
			assert.deepEqual([none.code, none.stderr], [2, `test: no suites found in ${project.folder}. Expected *.suite.json files.\n`]);
			project.write('a.suite.json', createGreetings('Ana'));
			const glob = await project.run(['a.suite.json', 'nothing/**/*.suite.json']);
			assert.equal(glob.code, 2);
			assert.match(glob.stderr, /^test nothing\/\*\*\/\*\.suite\.json: no suites found/);
			const filtered = await project.run(['--filter', 'Zoe']);
			assert.equal(filtered.code, 2);
			assert.match(filtered.stderr, /^--filter Zoe: no test case matches\.$/m);
		});

		it("before it runs anything if a folder isn't writable", async function () {
			if (isWindows) {
				this.skip();
			}
			const project = new Project();
			project.write('a.suite.json', createGreetings('Ana'));
			const locked = path.join(project.folder, 'locked');
			fs.mkdirSync(locked, { mode: 0o555 });
			// root may write to every folder except those that the kernel protects
			const folder = process.getuid?.() === 0 ? '/proc' : locked;
			const { code, stdout, stderr } = await project.run(['--junit', path.join(folder, 'out.xml')]);
			assert.equal(code, 2);
			assert.match(stderr, /^--junit .*out\.xml: couldn't write the file: /m);
			assert.doesNotMatch(stdout, /greets/);
		});

		it('after it printed the cases if the disk of a report is full', async function () {
			if (process.platform !== 'linux') {
				this.skip();
			}
			const project = new Project();
			project.write('a.suite.json', createGreetings('Ana'));
			const { code, stdout, stderr } = await project.run(['--junit', '/dev/full']);
			assert.equal(code, 2);
			assert.match(stdout, /^■ a {2}1 passed/m);
			assert.equal(stderr, "--junit /dev/full: couldn't write the file: the disk is full.\n");
		});

		it('if the agents folder or the configuration is missing or invalid', async () => {
			const project = new Project();
			project.write('a.suite.json', createGreetings('Ana'));
			project.write('gateway.json', '{\n\t"routs": []\n}');
			const folder = await project.run(['--agents', 'nowhere']);
			assert.deepEqual([folder.code, folder.stderr], [2, '--agents nowhere: no such folder.\n']);
			const config = await project.run(['--config', 'gateway.json']);
			assert.equal(config.code, 2);
			assert.match(config.stderr, /^gateway\.json:\d+: /);
		});
	});

	describe('on a service', () => {
		let service: FakeService;
		let project: Project;

		beforeEach(async () => {
			service = new FakeService();
			await service.start();
			project = new Project();
			const cases = ['one', 'two', 'three', 'four'].map(name => ({ name, inputs: {}, expect: [{ output: 'text', equals: 'done' }] }));
			project.write('a.suite.json', { model: 'remote', cases, concurrency: 2 });
		});

		afterEach(() => service.stop().catch(() => {}));

		it('passes, and waits as long as a 429 response demands', async () => {
			service.refusals = 2;
			const { code, stdout, stderr } = await project.run(['--base-url', service.url]);
			assert.equal(code, 0, stdout + stderr);
			assert.match(stdout, /4 passed, 0 failed/);
			assert.equal(service.startedRuns, 4);
		});

		it('exits with 3 if the service is unreachable', async () => {
			const { url } = service;
			service.disconnectAll();
			const { code, stdout, stderr } = await project.run(['--base-url', url, '--junit', 'j.xml']);
			assert.equal(code, 3, stdout + stderr);
			assert.match(stderr, /Nothing is listening at this address/);
		});

		it('exits with 3 if the service disappears midway, and counts the rest as errors instead of failures', async () => {
			service.keepsRunsOpen = true;
			const cli = project.start(['--base-url', service.url, '--junit', 'j.xml']);
			while (service.openRuns.size < 2) {
				await new Promise(resolve => setTimeout(resolve, 20));
			}
			service.disconnectAll();
			const { code, stdout, stderr } = await cli.ended;
			assert.equal(code, 3, stdout + stderr);
			assert.match(stdout, /0 passed, 0 failed, 4 couldn't run/);
			assert.match(project.read('j.xml'), /failures="0" errors="4"/);
		});

		it('stops runs at the service on Ctrl-C, exits with 130 and writes the finished results', async function () {
			if (isWindows) {
				this.skip();
			}
			service.keepsRunsOpen = true;
			const cli = project.start(['--base-url', service.url, '--junit', 'j.xml']);
			while (service.openRuns.size < 2) {
				await new Promise(resolve => setTimeout(resolve, 20));
			}
			cli.child.kill('SIGINT');
			const { code, stdout, stderr } = await cli.ended;
			assert.equal(code, 130, stdout + stderr);
			assert.equal(service.stopped, 2);
			assert.equal(service.startedRuns, 2);
			assert.match(stderr, /Interrupted: 2 runs were stopped at the service/);
			assert.deepEqual(await project.listCases('j.xml'), []);
		});
	});

	it('exits immediately on Ctrl-C while its gateway starts and leaves nothing behind', async function () {
		if (process.platform !== 'linux') {
			this.skip();
		}
		const project = new Project();
		project.write('a.suite.json', createGreetings('Ana'));
		const temp = createTemporaryFolder();
		// the gateway never gets its key from stdin, so it waits for it until it is killed
		execFileSync('mkfifo', ['-m', '600', path.join(project.folder, 'key')]);
		const cli = project.start(['--key-file', 'key'], { TMPDIR: temp });
		await waitUntil('the program', () => findProgramsWith(temp).length > 0);
		cli.child.kill('SIGINT');
		const { code, stdout, stderr } = await cli.ended;
		assert.deepEqual([code, stdout, stderr], [130, '', '']);
		await waitUntil('the end of the program', () => findProgramsWith(temp).length === 0);
		assert.deepEqual(fs.readdirSync(temp), []);
	});

	it('leaves no run active at a gateway after Ctrl-C', async function () {
		if (isWindows) {
			this.skip();
		}
		const gateway = await startGateway({ agents: { slow: createWaiter(1000, 60_000) } });
		const project = new Project();
		const cases = ['one', 'two', 'three'].map(name => ({ name, inputs: {}, expect: [{ status: 'succeeded' }] }));
		project.write('a.suite.json', { model: 'slow', cases, concurrency: 3 });
		const cli = project.start(['--base-url', gateway.baseUrl], getKey(gateway));
		while ((await listStatuses(gateway, 'slow')).filter(status => status === 'running').length < 3) {
			await new Promise(resolve => setTimeout(resolve, 50));
		}
		cli.child.kill('SIGINT');
		const { code, stderr } = await cli.ended;
		assert.equal(code, 130, stderr);
		assert.deepEqual(await listStatuses(gateway, 'slow'), ['stopped', 'stopped', 'stopped']);
	});

	it('refuses another configuration while its gateway runs, and starts over if an input file changed', async () => {
		const project = new Project({ slow: createWaiter(1, 300) });
		const names = Array.from({ length: 8 }, (_, at) => `c${at}`);
		project.write('text.md', 'before');
		project.write('a.suite.json', {
			model: 'slow',
			cases: names.map(name => ({ name, inputs: { text: { $file: './text.md' } }, expect: [{ status: 'succeeded' }] })),
			concurrency: 1,
		});
		project.write('old.json', {});
		project.write('new.json', { engine: { max_steps: 400 } });
		const killed = project.start(['--data', 'kept', '--config', 'old.json']);
		await killed.waitForOutput(/✔ a › c1/);
		killed.child.kill('SIGKILL');
		await killed.ended;
		// the gateway of the killed command stays alive for a while
		const refused = await project.run(['--data', 'kept', '--config', 'new.json']);
		assert.equal(refused.code, 2, refused.stdout);
		assert.match(
			refused.stderr,
			/a gateway with a different --config or --key-file is using this folder\. Stop it, or choose another folder\./,
		);
		project.write('text.md', 'after');
		const { code, stdout, stderr } = await project.run(['--data', 'kept', '--config', 'old.json']);
		assert.equal(code, 0, stdout + stderr);
		assert.match(stderr, /a: starting over because these changed since the batch was interrupted: files referenced by inputs\./);
		assert.match(stdout, /8 passed, 0 failed/);
		assert.doesNotMatch(stdout, /resuming after/);
	});

	it('starts over if a document of a dataset changed', async () => {
		const project = new Project({ slow: createWaiter(1, 300) });
		project.write('a.suite.json', {
			model: 'slow',
			cases: Array.from({ length: 8 }, (_, at) => ({ name: `c${at}`, expect: [{ status: 'succeeded' }] })),
			concurrency: 1,
		});
		project.write('settings/gateway.json', { knowledge: { handbook: { folder: '../handbook' } } });
		project.write('handbook/terms.md', 'before');
		const options = ['--data', 'kept', '--config', 'settings/gateway.json'];
		const killed = project.start(options);
		await killed.waitForOutput(/✔ a › c1/);
		killed.child.kill('SIGKILL');
		await killed.ended;
		project.write('handbook/terms.md', 'afterwards');
		const { code, stdout, stderr } = await project.run(options);
		assert.equal(code, 0, stdout + stderr);
		assert.match(stderr, /a: starting over because these changed since the batch was interrupted: .*documents of its datasets/);
		assert.match(stdout, /8 passed, 0 failed/);
	});

	it('uploads no file from outside its working folder', async () => {
		const service = new FakeService();
		const project = new Project();
		project.write('work/a.suite.json', { model: 'a', cases: [{ name: 'one', inputs: {}, files: [{ $file: '../secret.txt' }] }] });
		project.write('secret.txt', 'TOPSECRET-4711');
		await service.start();
		try {
			const started = startCli(['test', '--base-url', service.url], { cwd: path.join(project.folder, 'work'), env: process.env });
			const { code, stdout, stderr } = await started.ended;
			assert.equal(code, 2, stdout + stderr);
			assert.match(stdout + stderr, /is outside the workspace folder/);
		} finally {
			await service.stop();
		}
	});

	it('resumes after it was killed and counts no row twice', async () => {
		const project = new Project({ slow: createWaiter(1, 150) });
		const rows = Array.from({ length: 12 }, (_, i) => ({ id: `r${i}` }));
		project.write('rows.jsonl', rows.map(row => `${JSON.stringify(row)}\n`).join(''));
		project.write('a.suite.json', {
			model: 'slow',
			dataset: { file: './rows.jsonl', name: 'row {{id}}', inputs: {}, expect: [{ status: 'succeeded' }] },
			concurrency: 2,
		});
		const args = ['--data', 'kept', '--junit', 'j.xml'];
		const killed = project.start(args);
		await killed.waitForOutput(/✔ a › row r4/);
		killed.child.kill('SIGKILL');
		await killed.ended;
		const { code, stdout, stderr } = await project.run(args);
		assert.equal(code, 0, stdout + stderr);
		assert.match(stdout, /resuming after [1-9]\d* results of the interrupted batch/);
		assert.match(stdout, /12 passed, 0 failed/);
		assert.deepEqual((await project.listCases('j.xml')).sort(), rows.map(({ id }) => `row ${id}`).sort());
		// a complete batch is not resumed
		const again = await project.run(args);
		assert.doesNotMatch(again.stdout, /resuming after/);
		assert.match(again.stdout, /12 passed/);
	});

	it('writes JSON that later runs compare with', async () => {
		const project = new Project();
		project.write('a.suite.json', createGreetings('Ana', 'Bo'));
		const before = await project.run(['--json']);
		assert.equal(before.code, 0, before.stderr);
		const lines = before.stdout
			.trimEnd()
			.split('\n')
			.map(line => JSON.parse(line) as { result?: { outcome: string } });
		assert.equal(lines.filter(line => line.result?.outcome === 'passed').length, 2);
		project.write('before.jsonl', before.stdout);
		project.write('agents/hello.yml', createGreeter('Bye'));
		const after = await project.run(['--baseline', 'before.jsonl']);
		assert.equal(after.code, 1);
		assert.equal(after.stdout.match(/\(worse than in the baseline\)/g)?.length, 2);
		const wrong = await project.run(['--baseline', 'a.suite.json']);
		assert.deepEqual(
			[wrong.code, wrong.stderr],
			[2, '--baseline a.suite.json: expected results of an earlier run, as written by --json.\n'],
		);
	});

	it('reports a suite missing from the baseline, and two reports with the same path', async () => {
		const project = new Project();
		project.write('a.suite.json', createGreetings('Ana'));
		project.write('b.suite.json', createGreetings('Ana'));
		project.write('before.jsonl', (await project.run(['a.suite.json', '--json'])).stdout);
		const other = await project.run(['b.suite.json', '--baseline', 'before.jsonl']);
		assert.deepEqual(
			[other.code, other.stderr],
			[0, '--baseline before.jsonl: the file has no results for b.suite.json, so nothing is compared.\n'],
		);
		const double = await project.run(['--junit', 'out', '--coverage', './out']);
		assert.deepEqual([double.code, double.stderr], [2, '--coverage ./out: --junit writes to the same file. Choose another file.\n']);
	});

	it('exits with 2 if the disk of standard output is full', function () {
		if (!fs.existsSync('/dev/full')) {
			this.skip();
		}
		const project = new Project();
		project.write('a.suite.json', createGreetings('Ana'));
		for (const args of [['--json'], []]) {
			const full = fs.openSync('/dev/full', 'w');
			const { status, stderr } = spawnSync(process.execPath, [cliProgram, 'test', ...args], {
				cwd: project.folder,
				stdio: ['ignore', full, 'pipe'],
				encoding: 'utf8',
			});
			fs.closeSync(full);
			assert.deepEqual([status, stderr], [2, "Couldn't write to standard output: the disk is full.\n"]);
		}
	});

	it('keeps the results of two simultaneous runs of one suite', async () => {
		const gateway = await startGateway({ agents: { hello: createGreeter() } });
		const project = new Project();
		project.write('a.suite.json', createGreetings('Ana', 'Bo', 'Cy'));
		const given = ['--base-url', gateway.baseUrl, '--data', 'kept'];
		const ends = await Promise.all(['1.xml', '2.xml'].map(file => project.run([...given, '--junit', file], getKey(gateway))));
		assert.deepEqual(
			ends.map(({ code }) => code),
			[0, 0],
			JSON.stringify(ends),
		);
		for (const file of ['1.xml', '2.xml']) {
			assert.deepEqual((await project.listCases(file)).sort(), ['greets Ana', 'greets Bo', 'greets Cy']);
		}
	});

	it('filters, repeats, and stops at the first failure if asked to', async () => {
		const project = new Project();
		project.write('a.suite.json', createGreetings('Ana', 'Bo'));
		project.write('b.suite.json', createGreetings('Cy'));
		const filtered = await project.run(['--filter', 'BO', '--repeat', '3']);
		assert.equal(filtered.code, 0, filtered.stderr);
		assert.match(filtered.stdout, /1 passed, 0 failed/);
		assert.doesNotMatch(filtered.stdout, /Ana|■ b/);
		project.write('agents/hello.yml', createGreeter('Bye'));
		const bailed = await project.run(['--bail', '--concurrency', '1']);
		assert.equal(bailed.code, 1);
		assert.match(bailed.stdout, /0 passed, 1 failed/);
		assert.doesNotMatch(bailed.stdout, /Bo|Cy/);
	});

	it('accepts snapshots with --update and checks against them afterwards', async () => {
		const project = new Project();
		project.write('a.suite.json', {
			model: 'hello',
			cases: [{ name: 'Ana', inputs: { name: 'Ana' }, expect: [{ output: 'greeting', snapshot: true }] }],
		});
		const accepted = await project.run(['--update']);
		assert.equal(accepted.code, 0, accepted.stdout + accepted.stderr);
		const held = await project.run([]);
		assert.equal(held.code, 0, held.stdout + held.stderr);
		project.write('agents/hello.yml', createGreeter('Bye'));
		const changed = await project.run([]);
		assert.equal(changed.code, 1);
		assert.match(changed.stdout, /Bye Ana!/);
	});
});
