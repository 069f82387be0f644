import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createGreetingAgent } from '../contract/gateway/agents.ts';
import { createTemporaryFolder } from '../contract/gateway/gatewayProcess.ts';
import { killRunningClis, runCli } from './cliProcess.ts';

describe('the history of a suite on the command line', function () {
	this.timeout(60_000);
	let cwd: string;
	const greet = (expected: string) => ({
		model: 'hello',
		cases: [
			{ name: 'greets Ana', inputs: { name: 'Ana' }, expect: [{ name: 'polite', output: 'greeting', equals: 'Hello Ana!' }] },
			{ name: 'greets Ben', inputs: { name: 'Ben' }, expect: [{ name: 'polite', output: 'greeting', equals: expected }] },
		],
		gate: { not_worse: 'strict' },
	});

	before(() => {
		cwd = fs.realpathSync(createTemporaryFolder());
		fs.mkdirSync(path.join(cwd, 'agents'));
		fs.writeFileSync(path.join(cwd, 'agents/hello.yml'), createGreetingAgent());
	});
	after(killRunningClis);

	it('grows with --history, is shown as a trend, and a comment says what got worse', async () => {
		const test = async (expected: string) => {
			fs.writeFileSync(path.join(cwd, 'greet.suite.json'), JSON.stringify(greet(expected)));
			return runCli(['test', '--history', '--comment', 'comment.md'], { cwd });
		};
		assert.match((await runCli(['trend', 'greet.suite.json'], { cwd })).stderr, /trend greet\.suite\.json: no suites found/);
		assert.equal((await test('Hello Ben!')).code, 0);
		assert.match(fs.readFileSync(path.join(cwd, 'comment.md'), 'utf8'), /^<!-- agent-workbench test -->\n### ✅ Agent tests passed\n/);
		assert.equal((await test('Good day')).code, 1);
		const comment = fs.readFileSync(path.join(cwd, 'comment.md'), 'utf8');
		assert.match(comment, /### ❌ Agent tests failed/);
		assert.match(comment, /^- greet&#58; not&#95;worse&#58; these passed before&#58; greets Ben\.$/m);
		assert.match(comment, /^\| greet \| greets Ben \| polite/m);
		const { stdout, code } = await runCli(['trend', 'greet.suite.json'], { cwd });
		assert.equal(code, 0);
		const [head, titles, passed, ...others] = stdout.split('\n');
		assert.match(head!, /^greet\.suite\.json: 2 results from \d{4}-\d\d-\d\d \d\d:\d\d to /);
		assert.match(titles!, /^ {2}metric +first +lowest +highest +latest +change +trend$/);
		assert.match(passed!, /^ {2}passed +100\.0 % +50\.0 % +100\.0 % +50\.0 % +-50\.0 points +█▅$/);
		assert.ok(
			others.some(line => /^ {2}check: polite +100\.0 % +50\.0 %/.test(line)),
			stdout,
		);
		const { stdout: json } = await runCli(['trend', '.', '--json', '--last', '1'], { cwd });
		const entry = JSON.parse(json) as Record<string, unknown>;
		assert.deepEqual([entry['passed'], entry['failed'], entry['outcomes']], [1, 1, undefined]);
	});

	it("shows commits of a history that someone else wrote as text, so that they can't control the terminal", async () => {
		fs.writeFileSync(path.join(cwd, 'theirs.suite.json'), JSON.stringify(greet('Hello Ben!')));
		const entry = { cases: 1, passed: 1, failed: 0, notRun: 0, score: 1, tokens: 1, cost: 0, keys: 'k' };
		const lines = [
			{ at: '2026-11-01T00:00:00Z', commit: '\u001b[2J\u001b[H', ...entry },
			{ at: '2026-11-02T00:00:00Z', commit: '\n::stop', ...entry },
		];
		fs.writeFileSync(path.join(cwd, 'theirs.suite.history.jsonl'), lines.map(line => `${JSON.stringify(line)}\n`).join(''));
		const { stdout, code } = await runCli(['trend', 'theirs.suite.json'], { cwd });
		assert.equal(code, 0);
		assert.match(stdout, /^theirs\.suite\.json: 2 results from .+ to .+\n/);
		assert.doesNotMatch(stdout, /\u001b|^::/m);
	});
});
