import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createGreetingAgent, createWaitingAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways, createTemporaryFolder } from '../contract/gateway/gatewayProcess.ts';
import { killRunningClis, startCli } from './cliProcess.ts';

const cases = Array.from({ length: 8 }, (_, at) => ({
	name: `case ${at}`,
	inputs: { name: `N${at}` },
	expect: [{ output: 'greeting', equals: `Hello N${at}!` }],
}));

describe('agent-workbench test with variants and gates', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.realpathSync(createTemporaryFolder());
	});
	afterEach(async () => {
		await killRunningClis();
		await cleanUpGateways();
	});

	function writeFile(file: string, content: string | object): void {
		fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
		fs.writeFileSync(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
	}

	const start = (...args: string[]) =>
		startCli(['test', ...args], { cwd: folder, env: { ...process.env, GITHUB_STEP_SUMMARY: '', NO_COLOR: '1' } });

	it('asks first, then shows which cases a worse version fails, in text, Markdown and JUnit', async () => {
		writeFile('agents/hello.yml', createGreetingAgent());
		writeFile('worse.yml', createGreetingAgent('Bye'));
		writeFile('a.suite.json', { model: 'hello', cases, matrix: { agent: { now: 'current', worse: './worse.yml' } } });
		const refused = await start('--matrix').ended;
		assert.equal(refused.code, 2, refused.stdout);
		assert.match(refused.stderr, /^a: 8 cases in 2 variants, up to 16 runs\. The cost isn't known, because there are no earlier results/m);
		assert.match(refused.stderr, /--matrix: add --yes to start without being asked\./);
		assert.doesNotMatch(refused.stdout, /case 0/);

		const { code, stdout, stderr } = await start('--matrix', '--yes', '--markdown', 'm.md', '--junit', 'j.xml').ended;
		assert.equal(code, 1, stdout + stderr);
		assert.match(stdout, /^✔ a › case 0 \[now\] /m);
		assert.match(stdout, /^✖ a › case 0 \[worse\] /m);
		assert.match(stdout, /^ {2}now +8 +100\.0 % \(67\.6 to 100\.0\) +baseline/m);
		assert.match(stdout, /^ {2}worse +8 +0\.0 % \(0\.0 to 32\.4\) +-100\.0 \(\S+ to \S+\) +worse \(p = 0\.0078\)/m);
		assert.match(stdout, /^ {2}worse: worse in 8 cases: case 0, case 1, /m);
		const markdown = fs.readFileSync(path.join(folder, 'm.md'), 'utf8');
		assert.match(markdown, /^### a&#58; variants$|^### a: variants$/m);
		assert.match(markdown, /^\| worse \| 8 \| /m);
		assert.match(fs.readFileSync(path.join(folder, 'j.xml'), 'utf8'), /<testcase name="case 0 \[worse\]"/);
	});

	it('resumes after it was killed, runs no cell twice and estimates from the results so far', async () => {
		writeFile('agents/slow.yml', createWaitingAgent(1, 100));
		writeFile('rows.jsonl', Array.from({ length: 10 }, (_, at) => `{"id":"r${at}"}\n`).join(''));
		writeFile('a.suite.json', {
			model: 'slow',
			dataset: { file: './rows.jsonl', name: '{{id}}', inputs: {} },
			concurrency: 2,
			variants: [{ name: 'one' }, { name: 'two' }],
		});
		const args = ['--matrix', '--yes', '--data', 'kept'];
		const killed = start(...args);
		await killed.waitForOutput(/✔ a › r3 \[one\]/);
		killed.child.kill('SIGKILL');
		await killed.ended;
		const { code, stdout, stderr } = await start(...args).ended;
		assert.equal(code, 0, stdout + stderr);
		assert.match(stderr, /a: 10 cases in 2 variants, up to 20 runs\. Estimated from \d+ earlier runs/);
		assert.match(stdout, /resuming after [1-9]\d* results of the interrupted batch/);
		assert.match(stdout, /■ a {2}20 passed, 0 failed/);
		assert.match(stdout, /^ {2}two +10 +100\.0 % .* no difference shown \(p = 1\.0000\)/m);
		const results = fs.globSync('kept/results/*/*.jsonl', { cwd: folder });
		assert.equal(results.length, 1);
		const ordinals = fs
			.readFileSync(path.join(folder, results[0]!), 'utf8')
			.split('\n')
			.flatMap(line => (line.startsWith('{"result"') ? [JSON.parse(line).result.ordinal] : []));
		assert.deepEqual(
			ordinals.sort((a, b) => a - b),
			Array.from({ length: 20 }, (_, at) => at),
		);
	});

	it('passes a gate although a case fails, and not once a case is lost that passed in the history', async () => {
		writeFile('agents/hello.yml', createGreetingAgent());
		const failing = { name: 'fails', inputs: { name: 'A' }, expect: [{ output: 'greeting', equals: 'no' }] };
		writeFile('a.suite.json', { model: 'hello', cases: [...cases, failing], gate: { pass_rate: 0.8, not_worse: 'strict' } });
		const first = await start('--history').ended;
		assert.equal(first.code, 0, first.stdout + first.stderr);
		assert.match(first.stdout, /8 passed, 1 failed/);
		const [entry] = fs.readFileSync(path.join(folder, 'a.suite.history.jsonl'), 'utf8').trim().split('\n');
		assert.equal(JSON.parse(entry!).passed, 8);
		writeFile('agents/hello.yml', createGreetingAgent("{{ 'Hello' if name != 'N3' else 'Bye' }}"));
		const { code, stderr } = await start().ended;
		assert.equal(code, 1, stderr);
		assert.match(stderr, /a: the gate isn't passed\. pass_rate: 77\.8 % passed, expected at least 80\.0 %\./);
		assert.match(stderr, /a: the gate isn't passed\. not_worse: these passed before: case 3\./);
	});
});
