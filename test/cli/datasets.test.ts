import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { ServiceClient } from '#client/client.ts';
import { createGreetingAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways, createTemporaryFolder, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { createChainAgent } from '../contract/suites/attackedAgents.ts';
import { killRunningClis, runCli } from './cliProcess.ts';

describe('agent-workbench dataset', function () {
	this.timeout(120_000);
	let cwd: string;
	/** Fails for texts with a character that isn't ASCII. */
	const picky = createChainAgent(
		[
			{
				id: 'check',
				data: {
					type: 'code',
					title: 'Check',
					code_language: 'javascript',
					code: 'function main({ text }) { if (/[^\\x00-\\x7f]/.test(text)) { throw new Error("not ASCII"); } return { result: text } }',
					variables: [{ variable: 'text', value_selector: ['start', 'question'] }],
					outputs: { result: { type: 'string' } },
				},
			},
		],
		'check.result',
	);

	before(() => {
		cwd = fs.realpathSync(createTemporaryFolder());
		fs.mkdirSync(path.join(cwd, 'agents'));
		fs.writeFileSync(path.join(cwd, 'agents/hello.yml'), createGreetingAgent());
		fs.writeFileSync(path.join(cwd, 'agents/picky.yml'), picky);
	});
	after(async () => {
		killRunningClis();
		await cleanUpGateways();
	});

	const run = (...args: string[]) => runCli(['dataset', ...args], { cwd });
	const parse = (text: string) =>
		text
			.trim()
			.split('\n')
			.map(line => JSON.parse(line) as Record<string, unknown>);

	it("doesn't replace a dataset by nothing if an agent has no runs", async () => {
		fs.writeFileSync(path.join(cwd, 'kept.jsonl'), '{"name":"Ana"}\n');
		const { code, stderr } = await run('runs', 'hello', '--out', 'kept.jsonl', '--overwrite');
		assert.equal(code, 2, stderr);
		assert.match(stderr, /--out kept\.jsonl: there are no rows, so the file wasn't written\./);
		assert.equal(fs.readFileSync(path.join(cwd, 'kept.jsonl'), 'utf8'), '{"name":"Ana"}\n');
	});

	it('makes rows from past runs, shows them first, and writes rows that a suite runs', async () => {
		const gateway = await startGateway({ agents: { hello: createGreetingAgent() } });
		const client = new ServiceClient({ baseUrl: gateway.baseUrl, kind: 'gateway', keys: { agent: gateway.apiKey } });
		await client.publishAgent('hello');
		for (const name of ['ana@example.com', 'ana@example.com', 'Ben']) {
			await client.runWorkflow({ model: 'hello', user: 'u', inputs: { name } });
		}
		await client.close();
		const env = { ...process.env, AGENT_WORKBENCH_KEY: gateway.apiKey };
		const sample = (...args: string[]) => runCli(['dataset', 'runs', 'hello', '--base-url', gateway.baseUrl, ...args], { cwd, env });
		const shown = await sample('--expect');
		assert.equal(shown.code, 0, shown.stderr);
		assert.deepEqual(
			parse(shown.stdout)
				.map(row => [row['name'], row['expect:greeting'], row['$status']])
				.sort(),
			[
				['<EMAIL_1>', 'Hello <EMAIL_1>!', 'succeeded'],
				['Ben', 'Hello Ben!', 'succeeded'],
			],
		);
		assert.match(shown.stderr, /hello: 3 runs with 1 combination of status and path; 2 rows/);
		assert.match(shown.stderr, /Skipped with nearly the same inputs: 1/);
		assert.match(shown.stderr, /This is a preview\. Write the rows to a file with --out FILE\./);
		assert.equal((await sample('--expect', '--out', 'rows.jsonl')).code, 0);
		assert.match((await sample('--out', 'rows.jsonl')).stderr, /--out rows\.jsonl: the file exists\./);
		const suite = { model: 'hello', dataset: { file: './rows.jsonl', name: '{{$name}}' } };
		fs.writeFileSync(path.join(cwd, 'rows.suite.json'), JSON.stringify(suite));
		const tested = await runCli(['test', 'rows.suite.json'], { cwd });
		assert.equal(tested.code, 0, tested.stdout + tested.stderr);
	});

	it('replaces a file of rows at once, so that a crash leaves the old or the new ones', async () => {
		const out = path.join(cwd, 'rows.jsonl');
		fs.writeFileSync(out, 'old rows\n');
		const reader = fs.openSync(out, 'r');
		try {
			const { code, stderr } = await run('inputs', 'hello', '--count', '3', '--out', out, '--overwrite');
			assert.equal(code, 0, stderr);
			assert.equal(fs.readFileSync(reader, 'utf8'), 'old rows\n');
			assert.equal(parse(fs.readFileSync(out, 'utf8')).length, 3);
		} finally {
			fs.closeSync(reader);
		}
	});

	it('finds inputs that fail, as simple as possible', async () => {
		const { code, stdout, stderr } = await run('inputs', 'picky', '--run', '--count', '30');
		assert.equal(code, 1, stderr);
		const [row, ...others] = parse(stdout);
		assert.equal(others.length, 0);
		assert.match(String(row!['$failure']), /^failed: .*not ASCII/);
		assert.equal([...String(row!['question'])].length, 1);
		assert.equal((await run('inputs', 'picky', '--run', '--count', '30')).stdout, stdout);
	});

	it('names the agents if there is none with this name', async () => {
		const { code, stderr } = await run('inputs', 'nobody');
		assert.equal(code, 2);
		assert.match(stderr, /^nobody: no such agent\. Expected one of .*hello/m);
	});
});
