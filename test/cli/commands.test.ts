import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createFailingAgent, createGreetingAgent, createWaitingAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways, createAgentsFolder, createTemporaryFolder, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { killRunningClis, runCli, startCli } from './cliProcess.ts';

const samples = path.resolve(import.meta.dirname, '../../samples');

describe('the command line', () => {
	afterEach(async () => {
		await killRunningClis();
		await cleanUpGateways();
	});

	it('prints its help, and describes wrong arguments in one sentence', async () => {
		const [help, version, none, unknown, option] = await Promise.all([
			runCli(['--help']),
			runCli(['--version']),
			runCli([]),
			runCli(['tset']),
			runCli(['test', '--junti', 'out.xml']),
		]);
		assert.equal(help.code, 0);
		assert.match(help.stdout, /^ {2}test /m);
		assert.equal(version.code, 0);
		assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
		assert.equal(none.code, 2);
		assert.equal(none.stdout, '');
		assert.deepEqual(
			[unknown.code, unknown.stderr],
			[
				2,
				'Unknown command tset. Did you mean test? Expected one of test, run, check, serve, trend, import, export, dataset runs, dataset inputs, dataset model, dify login, dify logout, dify apps, dify pull, dify push, dify diff, dify publish.\n',
			],
		);
		assert.deepEqual(
			[option.code, option.stderr],
			[2, 'test: unknown option --junti. Did you mean --junit? See agent-workbench test --help.\n'],
		);
	});

	it("prints Node's warnings, except those about experimental features", async () => {
		// emits both as soon as the command line listens for them
		const preload =
			"process.on('newListener', name => name === 'warning' && ['ExperimentalWarning', 'DeprecationWarning'].forEach(type => process.emitWarning('of ' + type, type)))";
		const env = { ...process.env, NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(preload)}"` };
		const { code, stderr } = await runCli(['check', 'agents/summarize.yml'], { cwd: samples, env });
		assert.equal(code, 0);
		assert.match(stderr, /^DeprecationWarning: of DeprecationWarning$/m);
		assert.doesNotMatch(stderr, /Experimental/);
	});

	it('prints the help of each command and of the dify group for every form of the help option', async () => {
		const [help, group, asked, bare, one, two] = await Promise.all(
			[['help'], ['dify', '--help'], ['help', 'dify'], ['dify'], ['help', 'dify', 'pull'], ['dify', 'pull', '--help']].map(args =>
				runCli(args),
			),
		);
		assert.deepEqual([help!.code, group!.code, asked!.code, bare!.code, one!.code], [0, 0, 0, 2, 0]);
		assert.match(help!.stdout, /^ {2}test /m);
		assert.match(group!.stdout, /^Usage: agent-workbench dify COMMAND[\s\S]*^ {2}dify login /m);
		assert.doesNotMatch(group!.stdout, /^ {2}test /m);
		assert.deepEqual([asked!.stdout, bare!.stderr, two!.stdout], [group!.stdout, group!.stdout, one!.stdout]);
	});

	describe('run', () => {
		it('runs a run file on the built-in gateway and leaves no files or processes behind', async () => {
			const temp = createTemporaryFolder();
			const { code, stdout, stderr } = await runCli(['run', 'runs/annual-report.run.json'], {
				cwd: samples,
				env: { ...process.env, TMPDIR: temp, TMP: temp, TEMP: temp, NO_COLOR: '1' },
			});
			assert.equal(code, 0, stderr);
			assert.match(stderr, /▷ summarize/);
			assert.match(stderr, /✔ code +Read the text/);
			assert.match(stderr, /■ succeeded/);
			assert.equal((JSON.parse(stdout) as Record<string, unknown>)['reading_minutes'], 3);
			assert.doesNotMatch(stdout + stderr, /\u001b/);
			assert.deepEqual(fs.readdirSync(temp), []);
		});

		it('writes events as JSON lines and exits with 1 if the run fails', async () => {
			const { code, stdout } = await runCli(['run', '--json', 'runs/fails-on-purpose.run.json'], { cwd: samples });
			assert.equal(code, 1);
			const entries = stdout
				.trimEnd()
				.split('\n')
				.map(line => JSON.parse(line) as { event?: { event: string; data: { status?: string } } });
			assert.equal(entries.findLast(({ event }) => event)?.event?.event, 'workflow_finished');
			assert.equal(entries.findLast(({ event }) => event)?.event?.data.status, 'failed');
		});

		it('reports file, line and expected value of an invalid file and exits with 2', async () => {
			const folder = createTemporaryFolder();
			fs.mkdirSync(path.join(folder, 'agents'));
			fs.writeFileSync(path.join(folder, 'agents', 'hello.yml'), createGreetingAgent());
			fs.writeFileSync(path.join(folder, 'a.run.json'), '{\n\t"model": "helo",\n\t"inputs": {}\n}');
			const { code, stderr } = await runCli(['run', 'a.run.json'], { cwd: folder });
			assert.equal(code, 2);
			assert.match(stderr, /^a\.run\.json:2: error: .*helo.*hello/m);
			const missing = await runCli(['run', 'none.run.json'], { cwd: folder });
			assert.deepEqual([missing.code, missing.stderr], [2, 'none.run.json: no such file.\n']);
		});

		it('exits with 3 without printing the key if the service is unreachable', async () => {
			const key = 'sk-test-1234567890abcdef';
			const { code, stdout, stderr } = await runCli(
				['run', path.join(samples, 'runs/annual-report.run.json'), '--base-url', 'http://127.0.0.1:9', '--api-key-env', 'MY_KEY'],
				{ env: { ...process.env, MY_KEY: key } },
			);
			assert.equal(code, 3);
			assert.match(stderr, /Nothing is listening at this address/);
			assert.match(stderr, /See --base-url/);
			assert.doesNotMatch(stderr, /connection/i);
			assert.ok(!(stdout + stderr).includes(key));
		});

		it('reports a refused or missing key and exits with 2', async () => {
			const gateway = await startGateway({ agents: { hello: createGreetingAgent() } });
			const file = path.join(createTemporaryFolder(), 'a.run.json');
			fs.writeFileSync(file, '{"model": "hello", "inputs": {"name": "Ana"}}');
			const refused = await runCli(['run', file, '--base-url', gateway.baseUrl], {
				env: { ...process.env, AGENT_WORKBENCH_KEY: 'sk-wrong-1234567890' },
			});
			assert.equal(refused.code, 2);
			assert.match(refused.stderr, /key/i);
			assert.ok(!refused.stderr.includes('sk-wrong-1234567890'));
			const missing = await runCli(['run', file, '--base-url', gateway.baseUrl, '--api-key-env', 'NO_SUCH_KEY']);
			assert.deepEqual([missing.code, missing.stderr], [2, "--api-key-env NO_SUCH_KEY: the environment variable isn't set.\n"]);
		});

		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			it(`stops the run at the service on ${signal} before it exits`, async function () {
				if (process.platform === 'win32') {
					this.skip();
				}
				const gateway = await startGateway({ agents: { slow: createWaitingAgent(1000, 60_000) } });
				const file = path.join(createTemporaryFolder(), 'a.run.json');
				fs.writeFileSync(file, '{"model": "slow", "inputs": {}}');
				const cli = startCli(['run', file, '--base-url', gateway.baseUrl], {
					env: { ...process.env, AGENT_WORKBENCH_KEY: gateway.apiKey },
				});
				await cli.waitForOutput(/▸ llm/);
				cli.child.kill(signal);
				const { code, stderr } = await cli.ended;
				assert.equal(code, 130, stderr);
				assert.match(stderr, /■ stopped/);
				const logs = await gateway.send('GET', '/v1/agent/workflows/logs?model=slow');
				assert.deepEqual(
					logs.json.data.map((each: { workflow_run: { status: string } }) => each.workflow_run.status),
					['stopped'],
				);
			});
		}

		it('exits immediately on a second Ctrl-C and stops its gateway', async function () {
			if (process.platform === 'win32') {
				this.skip();
			}
			const temp = createTemporaryFolder();
			const agents = createAgentsFolder({ slow: createWaitingAgent(1000, 60_000) });
			const file = path.join(createTemporaryFolder(), 'a.run.json');
			fs.writeFileSync(file, '{"model": "slow", "inputs": {}}');
			const cli = startCli(['run', file, '--agents', agents], { env: { ...process.env, TMPDIR: temp } });
			await cli.waitForOutput(/▸ llm/);
			cli.child.kill('SIGINT');
			await cli.waitForOutput(/Press Ctrl-C again to exit immediately/);
			cli.child.kill('SIGINT');
			const { code } = await cli.ended;
			assert.equal(code, 130);
			assert.deepEqual(fs.readdirSync(temp), []);
		});

		it('leaves no gateway behind after it is killed', async function () {
			if (process.platform !== 'linux') {
				this.skip();
			}
			const data = createTemporaryFolder();
			const agents = createAgentsFolder({ slow: createWaitingAgent(3, 600), hello: createGreetingAgent() });
			const file = path.join(createTemporaryFolder(), 'a.run.json');
			fs.writeFileSync(file, '{"model": "slow", "inputs": {}}');
			const cli = startCli(['run', file, '--agents', agents, '--data', data]);
			await cli.waitForOutput(/▸ llm/);
			const { pid } = JSON.parse(fs.readFileSync(path.join(data, 'gateway.lock'), 'utf8')) as { pid: number };
			cli.child.kill('SIGKILL');
			await cli.ended;
			// the gateway outlives the killed command while its run is active, and the next command reuses it
			fs.writeFileSync(file, '{"model": "hello", "inputs": {"name": "Ana"}}');
			const next = await runCli(['run', file, '--agents', agents, '--data', data]);
			assert.equal(next.code, 0, next.stderr);
			while (fs.existsSync(`/proc/${pid}`)) {
				await new Promise(resolve => setTimeout(resolve, 50));
			}
		});
	});

	describe('import', () => {
		const config = {
			prompts: ['Say {{text}}'],
			providers: ['openai:gpt-4o'],
			tests: [
				{
					vars: { text: 'a' },
					assert: [
						{ type: 'equals', value: 'a' },
						{ type: 'javascript', value: 'process.exit(9)' },
					],
				},
			],
		};

		it('writes a suite, lists what is not mapped with its place, and overwrites nothing by itself', async () => {
			const folder = createTemporaryFolder();
			fs.writeFileSync(path.join(folder, 'pf.yaml'), JSON.stringify(config, undefined, 1));
			const first = await runCli(['import', 'pf.yaml'], { cwd: folder });
			assert.equal(first.code, 0, first.stderr);
			assert.equal(
				first.stdout,
				"pf.yaml:18: not mapped: tests[0].assert[1]: 'javascript' isn't mapped: an import runs no code.\npf.suite.json: 1 test case, 1 part not mapped\n",
			);
			const suite = JSON.parse(fs.readFileSync(path.join(folder, 'pf.suite.json'), 'utf8')) as { cases: unknown };
			assert.deepEqual(suite.cases, [{ name: 'test 1', inputs: { text: 'a' }, expect: [{ output: 'text', equals: 'a' }] }]);
			const second = await runCli(['import', 'pf.yaml'], { cwd: folder });
			assert.equal(second.code, 2);
			assert.equal(second.stderr, 'pf.suite.json: the file exists. Use --out FILE for another one, or --overwrite.\n');
			const strict = await runCli(['import', 'pf.yaml', '--overwrite', '--strict', '--json'], { cwd: folder });
			assert.equal(strict.code, 1);
			assert.equal(strict.stdout.trim().split('\n').length, 2);
		});

		it('writes the rows of a dataset next to the suite, and reports a file that cannot be read', async () => {
			const folder = createTemporaryFolder();
			fs.writeFileSync(path.join(folder, 'rows.json'), '[{"inputs":{"q":"Hi"},"outputs":{"a":"Ho"}}]');
			const { code, stdout } = await runCli(['import', 'rows.json', '--out', 'sub/one.suite.json'], { cwd: folder });
			assert.deepEqual([code, stdout], [0, `${path.join('sub', 'one.suite.json')}: 1 test case, 0 parts not mapped\n`]);
			assert.match(fs.readFileSync(path.join(folder, 'sub/one.rows.jsonl'), 'utf8'), /"expect:text":"Ho"/);
			fs.writeFileSync(path.join(folder, 'bad.yaml'), 'a:\n  b: [1\n');
			for (const [file, message] of [
				['gone.yaml', /no such file/],
				['bad.yaml', /^bad\.yaml:\d: /],
			] as const) {
				const { code: failure, stderr } = await runCli(['import', file], { cwd: folder });
				assert.equal(failure, 2);
				assert.match(stderr, message);
			}
		});
	});

	describe('check', () => {
		it('reports no problems in the samples', async () => {
			const { code, stdout, stderr } = await runCli(['check', 'agents/*.yml'], { cwd: samples });
			assert.equal(code, 0, stdout + stderr);
			assert.match(stdout, /^\d+ agents: 0 errors, 0 warnings\n$/);
		});

		it('reports each problem with file, line and path and exits with 2', async () => {
			const folder = createTemporaryFolder();
			fs.mkdirSync(path.join(folder, 'agents'));
			const text = createGreetingAgent();
			fs.writeFileSync(path.join(folder, 'agents', 'good.yml'), text);
			fs.writeFileSync(
				path.join(folder, 'agents', 'bad.yml'),
				text.replace('mode: workflow', 'mode: workflw').replace('type: end', 'type: ennd'),
			);
			fs.writeFileSync(path.join(folder, 'agents', 'torn.yml'), 'app: {\n  - x');
			const bad = await runCli(['check', 'good', 'bad', 'agents/torn.yml', '--github'], { cwd: folder });
			assert.equal(bad.code, 2);
			assert.match(bad.stdout, /^agents\/bad\.yml:\d+: error: .*app\.mode/m);
			assert.match(bad.stdout, /^agents\/bad\.yml:\d+: warning: workflow\.graph\.nodes\[2\]\.data\.type: .*ennd/m);
			assert.match(bad.stdout, /^agents\/torn\.yml:\d+: error: /m);
			assert.match(bad.stdout, /^::error file=agents\/bad\.yml,line=\d+,title=Agent file::/m);
			assert.match(bad.stdout, /^3 agents: [1-9]\d* errors?/m);
			fs.writeFileSync(path.join(folder, 'agents', 'odd.yml'), text.replace('type: end', 'type: ennd'));
			assert.equal((await runCli(['check', 'odd'], { cwd: folder })).code, 0);
			assert.equal((await runCli(['check', 'odd', '--strict'], { cwd: folder })).code, 2);
			const json = await runCli(['check', 'bad', '--json'], { cwd: folder });
			const [first] = json.stdout
				.trimEnd()
				.split('\n')
				.map(line => JSON.parse(line) as Record<string, unknown>);
			assert.deepEqual([first!['file'], first!['severity']], [path.join(fs.realpathSync(folder), 'agents', 'bad.yml'), 'error']);
			assert.equal(first!['path'], 'app.mode');
			const none = await runCli(['check', 'nobody'], { cwd: folder });
			assert.equal(none.code, 2);
			assert.match(none.stderr, /^check nobody: expected an agent file/);
		});
	});

	describe('serve', () => {
		it('serves the agents of the folder with a generated key and shuts down cleanly', async () => {
			const temp = createTemporaryFolder();
			const agents = createAgentsFolder({ hello: createGreetingAgent('Hi'), bad: createFailingAgent() });
			const cli = startCli(['serve', '--agents', agents, '--ready-json'], { env: { ...process.env, TMPDIR: temp, TMP: temp, TEMP: temp } });
			await cli.waitForOutput(/"ready":true/);
			cli.child.kill('SIGTERM');
			const { stdout, stderr } = await cli.ended;
			const { base_url: baseUrl, api_key: apiKey } = JSON.parse(stdout) as { base_url: string; api_key: string };
			assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
			assert.ok(apiKey.length > 20);
			assert.match(stderr, /Its key is in .*gateway\.key/);
			assert.ok(!stderr.includes(apiKey));
			if (process.platform !== 'win32') {
				assert.deepEqual(fs.readdirSync(temp), []);
			}
		});

		it("refuses an invalid port with the gateway's message", async () => {
			const { code, stderr } = await runCli(['serve', '--port', 'x', '--data', createTemporaryFolder()]);
			assert.equal(code, 2);
			assert.match(stderr, /--port: 'x' isn't a valid number\. Expected a whole number/);
		});
	});
});
