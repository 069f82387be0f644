import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createGreetingAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways, createTemporaryFolder } from '../contract/gateway/gatewayProcess.ts';
import { killRunningClis, runCli, startCli } from './cliProcess.ts';

const samples = path.resolve(import.meta.dirname, '../../samples');

describe('agent-workbench run', () => {
	afterEach(async () => {
		await killRunningClis();
		await cleanUpGateways();
	});

	describe('with the name of an agent', () => {
		const runAgentCommand = (...args: string[]) => runCli(['run', 'hello', ...args], { cwd: folder });
		let folder: string;
		beforeEach(() => {
			folder = createTemporaryFolder();
			fs.mkdirSync(path.join(folder, 'agents'));
			fs.writeFileSync(path.join(folder, 'agents', 'hello.yml'), createGreetingAgent());
		});

		it('reads inputs from options and files', async () => {
			const typed = await runAgentCommand('--input', 'name=Ana=B');
			assert.equal(typed.code, 0, typed.stderr);
			assert.match(JSON.stringify(JSON.parse(typed.stdout)), /Ana=B/);
			const elsewhere = path.join(createTemporaryFolder(), 'name.txt');
			fs.writeFileSync(elsewhere, 'Berta');
			assert.match((await runAgentCommand('--input', `name=@${elsewhere}`)).stdout, /Berta/);
			assert.match((await runAgentCommand('--input', 'name=@@home')).stdout, /@home/);
		});

		it('prefers inputs from options to those of a run file', async () => {
			fs.writeFileSync(path.join(folder, 'a.run.json'), '{\n\t"model": "hello",\n\t"inputs": {"name": "Ana"}\n}');
			const { stdout, stderr } = await runCli(['run', 'a.run.json', '--input', 'name=Berta'], { cwd: folder });
			assert.match(stdout, /Berta/, stderr);
		});

		it('reads no file outside the folder that a run file names, even if an option names one', async () => {
			const outside = path.join(createTemporaryFolder(), 'secret.txt');
			fs.writeFileSync(outside, 'Cleo');
			const given = path.join(createTemporaryFolder(), 'query.txt');
			fs.writeFileSync(given, 'Ana');
			fs.writeFileSync(path.join(folder, 'a.run.json'), JSON.stringify({ model: 'hello', inputs: { name: { $file: outside } } }));
			const { code, stdout, stderr } = await runCli(['run', 'a.run.json', '--input', `other=@${given}`], { cwd: folder });
			assert.deepEqual([code, stdout], [2, ''], stderr);
			assert.match(stderr, /secret\.txt' is outside the workspace folder/);
		});

		it('reports an invalid option or an unknown agent', async () => {
			const bare = await runAgentCommand('--input', 'name');
			assert.deepEqual([bare.code, bare.stderr], [2, '--input name: expected NAME=VALUE.\n']);
			const unknown = await runCli(['run', 'helo', '--input', 'name=Ana'], { cwd: folder });
			assert.equal(unknown.code, 2);
			assert.match(unknown.stderr, /^helo: error: .*hello.*\nhelo: no run was started\.\n$/);
		});
	});

	describe('with an agent that pauses for a form', () => {
		const runAgentCommand = (...args: string[]) => runCli(['run', 'runs/approve-notice.run.json', ...args], { cwd: samples });

		it('completes with the form answer from options', async () => {
			const { code, stdout, stderr } = await runAgentCommand('--answer', 'revise', '--field', 'note=Say when it is over.');
			assert.equal(code, 0, stderr);
			assert.equal((JSON.parse(stdout) as { decision: string }).decision, 'revise');
			assert.match(stderr, /✔ llm +Change the notice/);
			assert.match(stderr, /‖ paused|waiting for input/);
			assert.match(stderr, /■ succeeded/);
		});

		it('lists the available actions and fields for an invalid answer', async () => {
			const action = await runAgentCommand('--answer', 'aprove');
			assert.equal(action.code, 2);
			assert.match(
				action.stderr,
				/^--answer aprove: the form 'Approve the notice' has no such action\. Expected one of approve, revise, reject\.$/m,
			);
			const field = await runAgentCommand('--answer', 'approve', '--field', 'noet=x');
			assert.equal(field.code, 2);
			assert.match(field.stderr, /^--field noet: the form 'Approve the notice' has only note\.$/m);
		});

		it('ends a paused run without an answer and lists its actions and fields', async () => {
			const { code, stdout, stderr } = await runAgentCommand();
			assert.deepEqual([code, stdout], [1, '']);
			assert.match(stderr, /is waiting for input: form 'Approve the notice' \(actions: approve, revise, reject; fields: note\)\./);
			assert.match(stderr, /The run ends with this command because its data folder is temporary\./);
		});

		it('leaves the run paused in a data folder until it is answered over HTTP', async () => {
			const data = path.join(createTemporaryFolder(), 'data');
			const { code, stdout, stderr } = await runAgentCommand('--data', data, '--json');
			assert.equal(code, 1);
			assert.match(stderr, /It's stored in .*data and can be answered over HTTP/);
			const entries = stdout
				.trimEnd()
				.split('\n')
				.map(line => JSON.parse(line) as { event?: { event: string; workflow_run_id?: string; data?: { form_token?: string } } });
			const required = entries.find(({ event }) => event?.event === 'human_input_required')?.event;
			const [token, runId] = [required?.data?.form_token, required?.workflow_run_id];
			const serve = startCli(['serve', '--data', data, '--agents', 'agents', '--ready-json'], { cwd: samples });
			let ready = '';
			serve.child.stdout?.on('data', (piece: string) => {
				ready += piece;
			});
			await serve.waitForOutput(/"ready":true/);
			const { base_url: baseUrl, api_key: key } = JSON.parse(ready) as { base_url: string; api_key: string };
			const answered = await fetch(`${baseUrl}/v1/agent/form/human_input/${token}`, {
				method: 'POST',
				headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
				body: JSON.stringify({ model: 'approve-notice', user: 'ana', inputs: { note: '' }, action: 'approve' }),
			});
			assert.equal(answered.status, 200, await answered.text());
			let detail: { status: string };
			do {
				await new Promise(resolve => setTimeout(resolve, 50));
				const response = await fetch(`${baseUrl}/v1/agent/workflows/run/${runId}?model=approve-notice`, {
					headers: { authorization: `Bearer ${key}` },
				});
				detail = (await response.json()) as { status: string };
			} while (['paused', 'running'].includes(detail.status));
			assert.equal(detail.status, 'succeeded');
		});
	});
});
