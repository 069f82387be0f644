import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { cleanUpGateways, createTemporaryFolder } from '../contract/gateway/gatewayProcess.ts';
import { closeServers, getServerUrl, listenOnLoopback } from '../support/services/loopback.ts';
import { killRunningClis, runCli, startCli } from './cliProcess.ts';

const agent = `
version: 0.6.0
kind: app
app: { name: ask, mode: workflow, description: '' }
workflow:
  environment_variables:
    - { id: e, name: TOKEN, value_type: secret, value: '\${env:RECORDED_TOKEN}' }
  graph:
    nodes:
      - { id: start, data: { type: start, title: Start, variables: [{ variable: q, type: paragraph, label: q, required: true }] } }
      - id: fetch
        data:
          { type: http-request, title: Fetch, method: get, url: 'URL/say?q={{#start.q#}}&token={{#env.TOKEN#}}', headers: 'x-key: {{#env.TOKEN#}}', params: '',
            authorization: { type: no-auth, config: null }, body: { type: none, data: [] } }
      - { id: end, data: { type: end, title: End, outputs: [{ variable: said, value_selector: [fetch, body] }] } }
    edges:
      - { source: start, target: fetch }
      - { source: fetch, target: end }
`;

describe('agent-workbench run and test with recordings', () => {
	const canary = 'secret-canary-5541';
	let requests = 0;
	/** Start of each reply of the service. */
	let prefix = '';
	/** True to keep requests waiting from the third on. */
	let isHeld = false;
	const service = http.createServer((request, response) => {
		requests++;
		if (isHeld && requests > 2) {
			return;
		}
		response.setHeader('content-type', 'text/plain').end(`${prefix}reply ${requests} to ${request.url}`);
	});
	let folder: string;
	before(() => listenOnLoopback(service));
	after(() => closeServers(service));
	beforeEach(() => {
		folder = createTemporaryFolder();
		[requests, prefix, isHeld] = [0, '', false];
		fs.mkdirSync(path.join(folder, 'agents'));
		fs.writeFileSync(path.join(folder, 'agents', 'ask.yml'), agent.replace('URL', getServerUrl(service)));
		fs.writeFileSync(
			path.join(folder, 'gateway.json'),
			JSON.stringify({ engine: { allow_private_network: true, environment: ['RECORDED_TOKEN'] } }),
		);
		writeRun('Ana');
		const cases = ['Ana', 'Bo'].map(q => ({ name: `asks ${q}`, inputs: { q }, expect: [{ output: 'said', contains: `q=${q}` }] }));
		fs.writeFileSync(path.join(folder, 'ask.suite.json'), JSON.stringify({ model: 'ask', cases }));
	});
	afterEach(async () => {
		await killRunningClis();
		await cleanUpGateways();
	});

	const writeRun = (q: string) => fs.writeFileSync(path.join(folder, 'ask.run.json'), JSON.stringify({ model: 'ask', inputs: { q } }));
	const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
		runCli([...args, '--config', 'gateway.json'], { cwd: folder, env: { ...process.env, CI: '', GITHUB_STEP_SUMMARY: '', ...env } });
	const withSecret = { RECORDED_TOKEN: canary };
	const readRecording = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8');

	it('record all cases of a batch that was killed before, because the replies to its first cases were lost', async () => {
		const cases = ['Ana', 'Bo', 'Cy'].map(q => ({ name: `asks ${q}`, inputs: { q }, expect: [{ output: 'said', contains: `q=${q}` }] }));
		fs.writeFileSync(path.join(folder, 'ask.suite.json'), JSON.stringify({ model: 'ask', cases, concurrency: 1 }));
		const args = ['test', '--record', '--data', 'kept', '--config', 'gateway.json'];
		const env = { ...process.env, CI: '', GITHUB_STEP_SUMMARY: '', ...withSecret };
		isHeld = true;
		const killed = startCli(args, { cwd: folder, env });
		await killed.waitForOutput(/✔ ask › asks Bo/);
		killed.child.kill('SIGKILL');
		await killed.ended;
		isHeld = false;
		const { code, stdout, stderr } = await startCli(args, { cwd: folder, env }).ended;
		assert.equal(code, 0, stdout + stderr);
		assert.match(stderr, /starting over because these changed since the batch was interrupted: the recording or its mode\./);
		assert.match(stderr, /ask\.suite\.recording\.yaml: 3 added\./);
	});

	it('replay a recorded run without a request and without its secret', async () => {
		const recorded = await run(['run', 'ask.run.json', '--record'], withSecret);
		assert.equal(recorded.code, 0, recorded.stderr);
		assert.match(recorded.stderr, /Recording ask\.run\.recording\.yaml: 1 added\./);
		assert.equal(requests, 1);
		const text = readRecording('ask.run.recording.yaml');
		assert.ok(!text.includes(canary), text);
		const replayed = await run(['run', 'ask.run.json', '--replay']);
		assert.equal(replayed.code, 0, replayed.stderr);
		assert.match(replayed.stdout, /reply 1 to \/say\?q=Ana/);
		assert.equal(requests, 1);
	});

	it('exit with 2 if a request has no recorded reply, and show the first difference', async () => {
		await run(['run', 'ask.run.json', '--record'], withSecret);
		writeRun('Cleo');
		const { code, stderr } = await run(['run', 'ask.run.json', '--replay'], withSecret);
		assert.equal(code, 2, stderr);
		assert.match(
			stderr,
			/node fetch: No recorded reply for this HTTP request\. The nearest entry is at line 6 \(node 'fetch'\)\. First difference, at 'url'/,
		);
		assert.equal(requests, 1);
		// the entry that no longer fits is replaced
		assert.match((await run(['run', 'ask.run.json', '--record=new'], withSecret)).stderr, /1 replaced\./);
	});

	it('compare recorded replies with live ones, and exit with 1 if they differ', async () => {
		await run(['test', 'ask.suite.json', '--record'], withSecret);
		const text = readRecording('ask.suite.recording.yaml');
		const similar = await run(['test', 'ask.suite.json', '--drift=1'], withSecret);
		assert.equal(similar.code, 0, similar.stderr);
		assert.match(similar.stderr, /Drift: 1 same, 0 changed, 0 failed\./);
		assert.equal(requests, 3);
		prefix = 'Something else entirely was said by ';
		const { code, stderr } = await run(['test', 'ask.suite.json', '--drift'], withSecret);
		assert.equal(code, 1, stderr);
		assert.match(
			stderr,
			/Drift: 0 same, 2 changed, 0 failed\.\nasks Ana, node fetch, line 6: changed\. Similarity 0\.\d\d: recorded 'reply/,
		);
		assert.equal(readRecording('ask.suite.recording.yaml'), text);
		assert.match((await run(['run', 'ask.run.json', '--drift'])).stderr, /--drift: ask\.run\.recording\.yaml doesn't exist/);
	});

	it('record a suite once, and only replay it in CI', async () => {
		const first = await run(['test', 'ask.suite.json', '--record'], withSecret);
		assert.equal(first.code, 0, first.stdout + first.stderr);
		assert.equal(requests, 2);
		const text = readRecording('ask.suite.recording.yaml');
		for (const again of [['--record'], ['--replay'], []]) {
			const { code, stdout, stderr } = await run(['test', 'ask.suite.json', '--concurrency', '8', ...again], { CI: 'true' });
			assert.equal(code, 0, stdout + stderr);
			assert.match(stderr, /2 replayed\./);
		}
		assert.equal(requests, 2);
		assert.equal(readRecording('ask.suite.recording.yaml'), text);
	});

	it('refuse options that exclude each other and a damaged recording', async () => {
		assert.match((await run(['run', 'ask.run.json', '--record', '--replay'])).stderr, /use either --record or --replay/);
		assert.match((await run(['run', 'ask.run.json', '--record=often'])).stderr, /--record=often: expected once, new or all/);
		assert.match(
			(await run(['run', 'ask.run.json', '--replay', '--base-url', 'http://127.0.0.1:9'])).stderr,
			/can't be used with --base-url/,
		);
		fs.writeFileSync(path.join(folder, 'ask.run.recording.yaml'), 'recording: 9\n');
		const { code, stderr } = await run(['run', 'ask.run.json', '--replay']);
		assert.equal(code, 2);
		assert.match(stderr, /ask\.run\.recording\.yaml: The recording has the format 9, which a newer version/);
	});

	it('write nothing outside of the folder, whatever the file says', async () => {
		const request = JSON.parse(fs.readFileSync(path.join(folder, 'ask.run.json'), 'utf8')) as object;
		for (const file of ['../outside.yaml', path.resolve(folder, '../outside.yaml')]) {
			fs.writeFileSync(path.join(folder, 'outside.run.json'), JSON.stringify({ ...request, recordings: { file } }));
			const { code, stderr } = await run(['run', 'outside.run.json', '--record'], withSecret);
			assert.equal(code, 2, stderr);
			assert.match(stderr, /outside\.run\.json: the recording must be inside the folder/);
		}
		assert.equal(requests, 0);
	});

	it("keep new replies although the snapshots of the suite, or a report, can't be written", async () => {
		// the name of the temporary file of the snapshots is too long
		const suite = `${'a'.repeat(200)}.suite.json`;
		const cases = [{ name: 'asks', inputs: { q: 'Ana' }, expect: [{ output: 'said', snapshot: true }] }];
		fs.writeFileSync(path.join(folder, suite), JSON.stringify({ model: 'ask', cases, recordings: { file: './kept.yaml' } }));
		const updated = await run(['test', suite, '--record', '--update'], withSecret);
		assert.equal(updated.code, 2, updated.stdout + updated.stderr);
		assert.match(updated.stderr, /snapshots\.json/);
		assert.match(readRecording('kept.yaml'), /reply 1 to/);
		if (fs.existsSync('/dev/full')) {
			// more than the buffer of the report holds
			const many = Array.from({ length: 300 }, (_, n) => ({ name: `${'x'.repeat(250)} ${n}`, inputs: { q: `${n}` }, expect: [] }));
			fs.writeFileSync(path.join(folder, 'many.suite.json'), JSON.stringify({ model: 'ask', cases: many }));
			const reported = await run(['test', 'many.suite.json', '--record', '--junit', '/dev/full'], withSecret);
			assert.equal(reported.code, 2, reported.stdout + reported.stderr);
			assert.equal(readRecording('many.suite.recording.yaml').split('\n---\n').length, 301);
		}
	});

	it('write nothing if a reply contains what looks like a key', async () => {
		writeRun(`ghp_${'a1B2'.repeat(9)}`);
		const { code, stderr } = await run(['run', 'ask.run.json', '--record'], withSecret);
		assert.equal(code, 2, stderr);
		assert.match(stderr, /Nothing was recorded: a reply to the node 'fetch' contains 'ghp_a1…', which looks like a key/);
		assert.ok(!fs.existsSync(path.join(folder, 'ask.run.recording.yaml')));
	});
});
