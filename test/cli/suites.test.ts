import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'junit2json';
import { createGreetingAgent, createWaitingAgent } from '../contract/gateway/agents.ts';
import { createGraphFile, startData } from '../contract/gateway/formAgents.ts';
import { cleanUpGateways, createTemporaryFolder, type GatewayProcess, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { cliProgram, killRunningClis, startCli } from './cliProcess.ts';
import { FakeService } from './fakeService.ts';

const isWindows = process.platform === 'win32';

/** Cases of the suites for the greeter. */
function createGreetingCases(...names: readonly string[]): object {
	const cases = names.map(name => ({
		name: `greets ${name}`,
		inputs: { name },
		expect: [{ output: 'greeting', equals: `Hello ${name}!` }],
	}));
	return { model: 'hello', cases };
}

/** Creates an agent that returns an environment variable. */
function createRegionAgent(): string {
	return createGraphFile(
		'workflow',
		{
			start: { ...startData, variables: [] },
			end: { type: 'end', outputs: [{ variable: 'region', value_selector: ['env', 'REGION'] }] },
		},
		['start > end'],
		// biome-ignore lint/suspicious/noTemplateCurlyInString: syntax of agent files
		{ environment_variables: [{ id: 'r', name: 'REGION', value_type: 'secret', value: '${env:SUITE_REGION}' }] },
	);
}

/** A working folder with agents and suites, and functions that run commands in it. */
class Project {
	readonly folder = fs.realpathSync(createTemporaryFolder());

	constructor(agents: Readonly<Record<string, string>> = { hello: createGreetingAgent() }) {
		fs.mkdirSync(path.join(this.folder, 'agents'));
		for (const [name, text] of Object.entries(agents)) {
			this.writeFile(`agents/${name}.yml`, text);
		}
	}

	writeFile(file: string, content: string | object): void {
		fs.mkdirSync(path.dirname(path.join(this.folder, file)), { recursive: true });
		fs.writeFileSync(path.join(this.folder, file), typeof content === 'string' ? content : JSON.stringify(content, undefined, '\t'));
	}

	readFile(file: string): string {
		return fs.readFileSync(path.join(this.folder, file), 'utf8');
	}

	startTestCommand(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
		return startCli(['test', ...args], { cwd: this.folder, env: { ...process.env, GITHUB_STEP_SUMMARY: '', ...env } });
	}

	runTestCommand(args: readonly string[], env?: NodeJS.ProcessEnv) {
		return this.startTestCommand(args, env).ended;
	}

	/** Names of the cases in a JUnit file, in file order. */
	async listCaseNames(file: string): Promise<string[]> {
		const { testsuite } = (await parse(this.readFile(file))) as { testsuite?: { testcase?: { name: string }[] }[] };
		return (testsuite ?? []).flatMap(({ testcase }) => (testcase ?? []).map(({ name }) => name));
	}
}

const getKeyVariable = (gateway: GatewayProcess): NodeJS.ProcessEnv => ({ AGENT_WORKBENCH_KEY: gateway.apiKey });

/** Returns the logged statuses of an agent's runs. */
async function listRunStatuses(gateway: GatewayProcess, model: string): Promise<string[]> {
	const logs = await gateway.send('GET', `/v1/agent/workflows/logs?model=${model}&limit=100`);
	return logs.json.data.map((each: { workflow_run: { status: string } }) => each.workflow_run.status);
}

/** Returns the number of active runs in a data folder. */
function countRunning(data: string): number {
	const db = new DatabaseSync(path.join(data, 'gateway.db'), { readOnly: true });
	try {
		return Number(db.prepare("SELECT count(*) AS count FROM runs WHERE status = 'running'").get()?.['count']);
	} finally {
		db.close();
	}
}

/** Returns the process IDs of programs with this text in their arguments. */
function findProgramIds(text: string): string[] {
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
		await killRunningClis();
		await cleanUpGateways();
	});

	it('exits with 0 if all checks pass, prints a line per case and leaves no files behind', async () => {
		const project = new Project();
		project.writeFile('tests/a.suite.json', createGreetingCases('Ana', 'Bo'));
		const temp = createTemporaryFolder();
		const { code, stdout, stderr } = await project.runTestCommand([], { TMPDIR: temp, TMP: temp, TEMP: temp, NO_COLOR: '1' });
		assert.equal(code, 0, stdout + stderr);
		assert.match(stdout, /^✔ a › greets Ana /m);
		assert.match(stdout, /^✔ a › greets Bo /m);
		assert.match(stdout, /^■ a {2}2 passed, 0 failed /m);
		assert.deepEqual(fs.readdirSync(temp), []);
	});

	it('finds the nearest agents folder above the suites if the working folder has none', async () => {
		const project = new Project();
		project.writeFile('suites/deep/a.suite.json', createGreetingCases('Ana'));
		const { code, stdout, stderr } = await startCli(['test', `${path.basename(project.folder)}/suites`], {
			cwd: path.dirname(project.folder),
		}).ended;
		assert.equal(code, 0, stdout + stderr);
		assert.match(stdout, /1 passed, 0 failed/);
	});

	it('exits with 1 if a check fails, and explains it in text, JUnit, Markdown, annotations and lcov', async () => {
		const project = new Project();
		const wrong = { name: 'greets nobody', inputs: { name: 'Cy' }, expect: [{ output: 'greeting', equals: 'Bye' }] };
		project.writeFile('a.suite.json', {
			...createGreetingCases('Ana'),
			cases: [...(createGreetingCases('Ana') as { cases: object[] }).cases, wrong],
		});
		const reports = ['--junit', 'out/j.xml', '--markdown', 'out/m.md', '--coverage', 'out/c.lcov', '--github'];
		const { code, stdout, stderr } = await project.runTestCommand(reports);
		assert.equal(code, 1, stdout + stderr);
		assert.match(stdout, /^✖ a › greets nobody {2}a\.suite\.json:\d+$/m);
		assert.match(stdout, /^ {2}│ .*Hello Cy!/m);
		assert.match(stdout, /^::error file=a\.suite\.json,line=\d+,col=\d+,title=a › greets nobody::/m);
		assert.match(project.readFile('out/j.xml'), /<testcase name="greets nobody"[^>]*><failure message="[^"]+" type="equals">/);
		assert.deepEqual((await project.listCaseNames('out/j.xml')).sort(), ['greets Ana', 'greets nobody']);
		assert.match(project.readFile('out/m.md'), /\| ❌ a \| 1 \| 1 \| 0 \|/);
		assert.match(project.readFile('out/c.lcov'), /^SF:agents\/hello\.yml$/m);
	});

	describe('exits with 2', () => {
		it('for an invalid suite, with file, line and expected value in one sentence; other suites still run', async () => {
			const project = new Project();
			project.writeFile('good.suite.json', createGreetingCases('Ana'));
			project.writeFile('bad.suite.json', '{\n\t"model": "helo",\n\t"cases": [{ "name": "x", "inputs": { "name": "A" } }]\n}');
			const { code, stdout, stderr } = await project.runTestCommand(['--github']);
			assert.equal(code, 2);
			assert.match(stderr, /^bad\.suite\.json:2:\d+: error: .*hello/m);
			assert.match(stdout + stderr, /^::error file=bad\.suite\.json,line=2,/m);
			assert.match(stdout, /^✔ good › greets Ana /m);
			assert.doesNotMatch(stdout, /bad ›/);
		});

		it('if no suite is found or no case matches the filter', async () => {
			const project = new Project();
			const none = await project.runTestCommand([]);
			assert.deepEqual([none.code, none.stderr], [2, `test: no suites found in ${project.folder}. Expected *.suite.json files.\n`]);
			project.writeFile('a.suite.json', createGreetingCases('Ana'));
			const glob = await project.runTestCommand(['a.suite.json', 'nothing/**/*.suite.json']);
			assert.equal(glob.code, 2);
			assert.match(glob.stderr, /^test nothing\/\*\*\/\*\.suite\.json: no suites found/);
			const filtered = await project.runTestCommand(['--filter', 'Zoe']);
			assert.equal(filtered.code, 2);
			assert.match(filtered.stderr, /^--filter Zoe: no test case matches\.$/m);
		});

		it("before it runs anything if a folder isn't writable", async function () {
			if (isWindows) {
				this.skip();
			}
			const project = new Project();
			project.writeFile('a.suite.json', createGreetingCases('Ana'));
			const locked = path.join(project.folder, 'locked');
			fs.mkdirSync(locked, { mode: 0o555 });
			// root may write to every folder except those that the kernel protects
			const folder = process.getuid?.() === 0 ? '/proc' : locked;
			const { code, stdout, stderr } = await project.runTestCommand(['--junit', path.join(folder, 'out.xml')]);
			assert.equal(code, 2);
			assert.match(stderr, /^--junit .*out\.xml: couldn't write the file: /m);
			assert.doesNotMatch(stdout, /greets/);
		});

		it('after it printed the cases if the disk of a report is full', async function () {
			if (process.platform !== 'linux') {
				this.skip();
			}
			const project = new Project();
			project.writeFile('a.suite.json', createGreetingCases('Ana'));
			const { code, stdout, stderr } = await project.runTestCommand(['--junit', '/dev/full']);
			assert.equal(code, 2);
			assert.match(stdout, /^■ a {2}1 passed/m);
			assert.equal(stderr, "--junit /dev/full: couldn't write the file: the disk is full.\n");
		});

		it('if the agents folder or the configuration is missing or invalid', async () => {
			const project = new Project();
			project.writeFile('a.suite.json', createGreetingCases('Ana'));
			project.writeFile('gateway.json', '{\n\t"routs": []\n}');
			const folder = await project.runTestCommand(['--agents', 'nowhere']);
			assert.deepEqual([folder.code, folder.stderr], [2, '--agents nowhere: no such folder.\n']);
			const config = await project.runTestCommand(['--config', 'gateway.json']);
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
			project.writeFile('a.suite.json', { model: 'remote', cases, concurrency: 2 });
		});

		afterEach(() => service.stop().catch(() => {}));

		it('passes, and waits as long as a 429 response demands', async () => {
			service.refusals = 2;
			const { code, stdout, stderr } = await project.runTestCommand(['--base-url', service.url]);
			assert.equal(code, 0, stdout + stderr);
			assert.match(stdout, /4 passed, 0 failed/);
			assert.equal(service.startedRuns, 4);
		});

		it('exits with 3 if the service is unreachable', async () => {
			const { url } = service;
			service.closeAllConnections();
			const { code, stdout, stderr } = await project.runTestCommand(['--base-url', url, '--junit', 'j.xml']);
			assert.equal(code, 3, stdout + stderr);
			assert.match(stderr, /Nothing is listening at this address/);
		});

		it('exits with 3 if the service disappears midway, and counts the rest as errors instead of failures', async () => {
			service.keepsRunsOpen = true;
			const cli = project.startTestCommand(['--base-url', service.url, '--junit', 'j.xml']);
			while (service.openRuns.size < 2) {
				await new Promise(resolve => setTimeout(resolve, 20));
			}
			service.closeAllConnections();
			const { code, stdout, stderr } = await cli.ended;
			assert.equal(code, 3, stdout + stderr);
			assert.match(stdout, /0 passed, 0 failed, 4 couldn't run/);
			assert.match(project.readFile('j.xml'), /failures="0" errors="4"/);
		});

		it('stops runs at the service on Ctrl-C, exits with 130 and writes the finished results', async function () {
			if (isWindows) {
				this.skip();
			}
			service.keepsRunsOpen = true;
			const cli = project.startTestCommand(['--base-url', service.url, '--junit', 'j.xml']);
			while (service.openRuns.size < 2) {
				await new Promise(resolve => setTimeout(resolve, 20));
			}
			cli.child.kill('SIGINT');
			const { code, stdout, stderr } = await cli.ended;
			assert.equal(code, 130, stdout + stderr);
			assert.equal(service.stopped, 2);
			assert.equal(service.startedRuns, 2);
			assert.match(stderr, /Interrupted: 2 runs were stopped on the service/);
			assert.deepEqual(await project.listCaseNames('j.xml'), []);
		});
	});

	it('exits immediately on Ctrl-C while its gateway starts and leaves nothing behind', async function () {
		if (process.platform !== 'linux') {
			this.skip();
		}
		const project = new Project();
		project.writeFile('a.suite.json', createGreetingCases('Ana'));
		const temp = createTemporaryFolder();
		// nothing writes a key to this pipe, so the gateway waits until it is killed
		execFileSync('mkfifo', ['-m', '600', path.join(project.folder, 'key')]);
		const cli = project.startTestCommand(['--key-file', 'key'], { TMPDIR: temp });
		await waitUntil('the program', () => findProgramIds(temp).length > 0);
		cli.child.kill('SIGINT');
		const { code, stdout, stderr } = await cli.ended;
		assert.deepEqual([code, stdout, stderr], [130, '', '']);
		await waitUntil('the end of the program', () => findProgramIds(temp).length === 0);
		assert.deepEqual(fs.readdirSync(temp), []);
	});

	it('leaves no run active at a gateway after Ctrl-C', async function () {
		if (isWindows) {
			this.skip();
		}
		const gateway = await startGateway({ agents: { slow: createWaitingAgent(1000, 60_000) } });
		const project = new Project();
		const cases = ['one', 'two', 'three'].map(name => ({ name, inputs: {}, expect: [{ status: 'succeeded' }] }));
		project.writeFile('a.suite.json', { model: 'slow', cases, concurrency: 3 });
		const cli = project.startTestCommand(['--base-url', gateway.baseUrl], getKeyVariable(gateway));
		while ((await listRunStatuses(gateway, 'slow')).filter(status => status === 'running').length < 3) {
			await new Promise(resolve => setTimeout(resolve, 50));
		}
		cli.child.kill('SIGINT');
		const { code, stderr } = await cli.ended;
		assert.equal(code, 130, stderr);
		assert.deepEqual(await listRunStatuses(gateway, 'slow'), ['stopped', 'stopped', 'stopped']);
	});

	it('refuses another configuration while its gateway runs, and starts over if an input file changed', async () => {
		const project = new Project({ slow: createWaitingAgent(1, 300) });
		const names = Array.from({ length: 8 }, (_, at) => `c${at}`);
		project.writeFile('text.md', 'before');
		project.writeFile('a.suite.json', {
			model: 'slow',
			cases: names.map(name => ({ name, inputs: { text: { $file: './text.md' } }, expect: [{ status: 'succeeded' }] })),
			concurrency: 1,
		});
		project.writeFile('old.json', {});
		project.writeFile('new.json', { engine: { max_steps: 400 } });
		const killed = project.startTestCommand(['--data', 'kept', '--config', 'old.json']);
		await killed.waitForOutput(/✔ a › c1/);
		killed.child.kill('SIGKILL');
		await killed.ended;
		// the gateway of the killed command stays alive for a while
		const refused = await project.runTestCommand(['--data', 'kept', '--config', 'new.json']);
		assert.equal(refused.code, 2, refused.stdout);
		assert.match(
			refused.stderr,
			/a gateway with a different --config, --key-file or environment is using this folder\. Stop it, or choose another folder\./,
		);
		project.writeFile('text.md', 'after');
		const { code, stdout, stderr } = await project.runTestCommand(['--data', 'kept', '--config', 'old.json']);
		assert.equal(code, 0, stdout + stderr);
		assert.match(stderr, /a: starting over because these changed since the batch was interrupted: files referenced by inputs\./);
		assert.match(stdout, /8 passed, 0 failed/);
		assert.doesNotMatch(stdout, /resuming after/);
	});

	it('lets agents read environment variables by pattern, and refuses a gateway that has other values', async () => {
		const project = new Project({ region: createRegionAgent() });
		const cases = [{ name: 'reads the variable', expect: [{ output: 'region', equals: 'north' }] }];
		project.writeFile('a.suite.json', { model: 'region', cases });
		project.writeFile('gateway.json', { engine: { environment: ['SUITE_*'] } });
		const options = ['--data', 'kept', '--config', 'gateway.json'];
		const first = await project.runTestCommand(options, { SUITE_REGION: 'north' });
		assert.equal(first.code, 0, first.stdout + first.stderr);
		const killed = project.startTestCommand([...options, '--repeat', '10000', '--concurrency', '1'], { SUITE_REGION: 'north' });
		await waitUntil('the gateway', () => fs.existsSync(path.join(project.folder, 'kept', 'gateway.lock')));
		const other = await project.runTestCommand(options, { SUITE_REGION: 'south' });
		killed.child.kill('SIGKILL');
		await killed.ended;
		assert.equal(other.code, 2, other.stdout);
		assert.match(other.stderr, /a gateway with a different --config, --key-file or environment is using this folder\./);
	});

	it('starts over if a document of a dataset or an OpenAPI description changed', async () => {
		for (const [file, settings] of [
			['handbook/terms.md', { knowledge: { handbook: { folder: '../handbook' } } }],
			['weather.json', { api_tools: { weather: { schema: 'weather.json' } } }],
		] as const) {
			const project = new Project({ slow: createWaitingAgent(1, 300) });
			project.writeFile('a.suite.json', {
				model: 'slow',
				cases: Array.from({ length: 8 }, (_, at) => ({ name: `c${at}`, expect: [{ status: 'succeeded' }] })),
				concurrency: 1,
			});
			project.writeFile('settings/gateway.json', settings);
			project.writeFile(file, 'before');
			const options = ['--data', 'kept', '--config', 'settings/gateway.json'];
			const killed = project.startTestCommand(options);
			await killed.waitForOutput(/✔ a › c1/);
			killed.child.kill('SIGKILL');
			await killed.ended;
			project.writeFile(file, 'afterwards');
			const { code, stdout, stderr } = await project.runTestCommand(options);
			assert.equal(code, 0, stdout + stderr);
			assert.match(
				stderr,
				/a: starting over because these changed since the batch was interrupted: .*documents of its datasets, its OpenAPI/,
				file,
			);
			assert.match(stdout, /8 passed, 0 failed/);
		}
	});

	it('uploads no file from outside its working folder', async () => {
		const service = new FakeService();
		const project = new Project();
		project.writeFile('work/a.suite.json', { model: 'a', cases: [{ name: 'one', inputs: {}, files: [{ $file: '../secret.txt' }] }] });
		project.writeFile('secret.txt', 'TOPSECRET-4711');
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
		const project = new Project({ slow: createWaitingAgent(1, 150) });
		const rows = Array.from({ length: 12 }, (_, i) => ({ id: `r${i}` }));
		project.writeFile('rows.jsonl', rows.map(row => `${JSON.stringify(row)}\n`).join(''));
		project.writeFile('a.suite.json', {
			model: 'slow',
			dataset: { file: './rows.jsonl', name: 'row {{id}}', inputs: {}, expect: [{ status: 'succeeded' }] },
			concurrency: 2,
		});
		const args = ['--data', 'kept', '--junit', 'j.xml'];
		const killed = project.startTestCommand(args);
		await killed.waitForOutput(/✔ a › row r4/);
		killed.child.kill('SIGKILL');
		await killed.ended;
		const { code, stdout, stderr } = await project.runTestCommand(args);
		assert.equal(code, 0, stdout + stderr);
		assert.match(stdout, /resuming after [1-9]\d* results? of the interrupted batch/);
		assert.match(stdout, /12 passed, 0 failed/);
		assert.deepEqual((await project.listCaseNames('j.xml')).sort(), rows.map(({ id }) => `row ${id}`).sort());
		// a complete batch is not resumed
		const again = await project.runTestCommand(args);
		assert.doesNotMatch(again.stdout, /resuming after/);
		assert.match(again.stdout, /12 passed/);
	});

	it('writes JSON that later runs compare with', async () => {
		const project = new Project();
		project.writeFile('a.suite.json', createGreetingCases('Ana', 'Bo'));
		const before = await project.runTestCommand(['--json']);
		assert.equal(before.code, 0, before.stderr);
		const lines = before.stdout
			.trimEnd()
			.split('\n')
			.map(line => JSON.parse(line) as { result?: { outcome: string } });
		assert.equal(lines.filter(line => line.result?.outcome === 'passed').length, 2);
		project.writeFile('before.jsonl', before.stdout);
		project.writeFile('agents/hello.yml', createGreetingAgent('Bye'));
		const after = await project.runTestCommand(['--baseline', 'before.jsonl']);
		assert.equal(after.code, 1);
		assert.equal(after.stdout.match(/\(worse than in the baseline\)/g)?.length, 2);
		const wrong = await project.runTestCommand(['--baseline', 'a.suite.json']);
		assert.deepEqual(
			[wrong.code, wrong.stderr],
			[2, '--baseline a.suite.json: expected results of an earlier run, as written by --json, in UTF-8.\n'],
		);
	});

	it('reports a suite missing from the baseline, and two reports with the same path', async () => {
		const project = new Project();
		project.writeFile('a.suite.json', createGreetingCases('Ana'));
		project.writeFile('b.suite.json', createGreetingCases('Ana'));
		project.writeFile('before.jsonl', (await project.runTestCommand(['a.suite.json', '--json'])).stdout);
		const other = await project.runTestCommand(['b.suite.json', '--baseline', 'before.jsonl']);
		assert.deepEqual(
			[other.code, other.stderr],
			[0, '--baseline before.jsonl: the file has no results for b.suite.json, so nothing is compared.\n'],
		);
		const double = await project.runTestCommand(['--junit', 'out', '--coverage', './out']);
		assert.deepEqual([double.code, double.stderr], [2, '--coverage ./out: --junit writes to the same file. Choose another file.\n']);
	});

	it('exits with 2 if the disk of standard output is full', function () {
		if (!fs.existsSync('/dev/full')) {
			this.skip();
		}
		const project = new Project();
		project.writeFile('a.suite.json', createGreetingCases('Ana'));
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
		const gateway = await startGateway({ agents: { hello: createGreetingAgent() } });
		const project = new Project();
		project.writeFile('a.suite.json', createGreetingCases('Ana', 'Bo', 'Cy'));
		const given = ['--base-url', gateway.baseUrl, '--data', 'kept'];
		const ends = await Promise.all(
			['1.xml', '2.xml'].map(file => project.runTestCommand([...given, '--junit', file], getKeyVariable(gateway))),
		);
		assert.deepEqual(
			ends.map(({ code }) => code),
			[0, 0],
			JSON.stringify(ends),
		);
		for (const file of ['1.xml', '2.xml']) {
			assert.deepEqual((await project.listCaseNames(file)).sort(), ['greets Ana', 'greets Bo', 'greets Cy']);
		}
	});

	for (const [how, signals] of [
		['ends', 0],
		['is interrupted twice', 2],
	] as const) {
		it(`leaves the runs of another command on the same data folder alone when it ${how}`, async function () {
			if (isWindows && signals > 0) {
				this.skip();
			}
			const kept = createTemporaryFolder();
			const [first, second] = [
				new Project({ slow: createWaitingAgent(1, signals > 0 ? 30_000 : 8_000) }),
				// it starts later, so it runs longer than the first, which ends or is interrupted
				new Project({ slower: createWaitingAgent(1, signals > 0 ? 6_000 : 8_000) }),
			];
			for (const [project, model] of [
				[first, 'slow'],
				[second, 'slower'],
			] as const) {
				project.writeFile('a.suite.json', { model, cases: [{ name: 'one', inputs: {}, expect: [{ status: 'succeeded' }] }] });
			}
			const short = first.startTestCommand(['--data', kept]);
			await waitUntil('the gateway', () => fs.existsSync(path.join(kept, 'gateway.lock')), 30_000);
			const long = second.startTestCommand(['--data', kept]);
			await waitUntil('both runs', () => countRunning(kept) === 2, 30_000);
			for (let sent = 0; sent < signals; sent++) {
				short.child.kill('SIGINT');
				await new Promise(resolve => setTimeout(resolve, 50));
			}
			const ended = await short.ended;
			assert.equal(ended.code, signals > 0 ? 130 : 0, ended.stdout + ended.stderr);
			const { code, stdout, stderr } = await long.ended;
			assert.equal(code, 0, stdout + stderr);
		});
	}

	it('runs only agents of its own folders, even if another command on the same data folder has some with the same names', async () => {
		const kept = createTemporaryFolder();
		const [first, second] = [
			new Project({ slow: createWaitingAgent(1, 15_000), hello: createGreetingAgent() }),
			new Project({ hello: createGreetingAgent('Bye') }),
		];
		first.writeFile('a.suite.json', { model: 'slow', cases: [{ name: 'one', inputs: {}, expect: [{ status: 'succeeded' }] }] });
		second.writeFile('a.suite.json', createGreetingCases('Ana'));
		const other = first.startTestCommand(['--data', kept]);
		await waitUntil('the gateway', () => fs.existsSync(path.join(kept, 'gateway.lock')), 30_000);
		const { code, stdout, stderr } = await second.runTestCommand(['--data', kept]);
		other.child.kill('SIGKILL');
		assert.notEqual(code, 0, stdout + stderr);
		assert.doesNotMatch(stdout, /1 passed/);
	});

	it('filters, repeats, and stops at the first failure if asked to', async () => {
		const project = new Project();
		project.writeFile('a.suite.json', createGreetingCases('Ana', 'Bo'));
		project.writeFile('b.suite.json', createGreetingCases('Cy'));
		const filtered = await project.runTestCommand(['--filter', 'BO', '--repeat', '3']);
		assert.equal(filtered.code, 0, filtered.stderr);
		assert.match(filtered.stdout, /1 passed, 0 failed/);
		assert.doesNotMatch(filtered.stdout, /Ana|■ b/);
		project.writeFile('agents/hello.yml', createGreetingAgent('Bye'));
		const bailed = await project.runTestCommand(['--bail', '--concurrency', '1']);
		assert.equal(bailed.code, 1);
		assert.match(bailed.stdout, /0 passed, 1 failed/);
		assert.doesNotMatch(bailed.stdout, /Bo|Cy/);
	});

	it('accepts snapshots with --update and checks against them afterwards', async () => {
		const project = new Project();
		project.writeFile('a.suite.json', {
			model: 'hello',
			cases: [{ name: 'Ana', inputs: { name: 'Ana' }, expect: [{ output: 'greeting', snapshot: true }] }],
		});
		const accepted = await project.runTestCommand(['--update']);
		assert.equal(accepted.code, 0, accepted.stdout + accepted.stderr);
		const held = await project.runTestCommand([]);
		assert.equal(held.code, 0, held.stdout + held.stderr);
		project.writeFile('agents/hello.yml', createGreetingAgent('Bye'));
		const changed = await project.runTestCommand([]);
		assert.equal(changed.code, 1);
		assert.match(changed.stdout, /Bye Ana!/);
	});
});
