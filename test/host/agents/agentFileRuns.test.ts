// biome-ignore-all lint/suspicious/noTemplateCurlyInString: run files have placeholders like template literals
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { RunRecord } from '#runs/runTypes.ts';
import { type Answers, answerDialogs, type Shown } from '../../support/editor/answers.ts';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { GatewayProcess } from '../support/gatewayProcess.ts';

const createGreetingAgent = (outputs: string) => `app: {name: greet, mode: workflow}
kind: app
version: "0.6.0"
workflow:
  graph:
    nodes:
      - {id: start, data: {type: start, title: Start, variables: [
          {variable: who, label: Who, type: text-input, required: true},
          {variable: more, label: More, type: json_object, required: false}]}}
      - {id: end, data: {type: end, title: End, outputs: [${outputs}]}}
    edges:
      - {source: start, target: end}
`;
const published = createGreetingAgent('{variable: said, value_selector: [start, who]}');
const draft = createGreetingAgent('{variable: draft, value_selector: [start, who]}, {variable: more, value_selector: [start, more]}');

const secretive = `app: {name: secretive, mode: workflow}
kind: app
version: "0.6.0"
workflow:
  environment_variables:
    - {name: KEY, value_type: secret, value: ""}
  graph:
    nodes:
      - {id: start, data: {type: start, title: Start, variables: []}}
      - {id: count, data: {type: code, title: Count, code_language: javascript, variables: [{variable: k, value_selector: [env, KEY]}], outputs: {n: {type: number}}, code: "function main({ k }) { return { n: k.length }; }"}}
      - {id: end, data: {type: end, title: End, outputs: [{variable: n, value_selector: [count, n]}]}}
    edges:
      - {source: start, target: count}
      - {source: count, target: end}
`;
const twice = `app: {name: twice, mode: workflow}
kind: app
version: "0.6.0"
workflow:
  graph:
    nodes:
      - {id: one, data: {type: start, title: By hand, variables: [{variable: who, label: Who, type: text-input, required: true}]}}
      - {id: two, data: {type: trigger-schedule, title: Each night}}
      - {id: end, data: {type: end, title: End, outputs: [{variable: who, value_selector: [one, who]}]}}
      - {id: late, data: {type: end, title: Late, outputs: [{variable: at, value_selector: [sys, workflow_run_id]}]}}
    edges:
      - {source: one, target: end}
      - {source: two, target: late}
`;

describe('running and publishing agent files', () => {
	let folder: string;
	let gateway: GatewayProcess;
	let window: WindowUnderTest;

	before(async () => {
		folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'aw-agents-')));
		for (const name of ['agents', 'elsewhere']) {
			fs.mkdirSync(path.join(folder, name));
		}
		fs.writeFileSync(path.join(folder, 'agents', 'greet.yml'), published);
		fs.writeFileSync(path.join(folder, 'elsewhere', 'greet.yml'), draft);
		fs.writeFileSync(path.join(folder, 'elsewhere', 'lonely.yml'), draft);
		fs.writeFileSync(path.join(folder, 'agents', 'secretive.yml'), secretive);
		fs.writeFileSync(path.join(folder, 'agents', 'twice.yml'), twice);
		gateway = await GatewayProcess.start(path.join(folder, 'data'), path.join(folder, 'agents'));
		window = new WindowUnderTest(gateway);
		await window.start();
	});
	afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
	after(async () => {
		await window.dispose();
		await gateway.stop();
		fs.rmSync(folder, { recursive: true, force: true });
	});

	const getFileUri = (...place: string[]) => vscode.Uri.file(path.join(folder, ...place));
	const executeCommand = async (command: Parameters<WindowUnderTest['executeCommand']>[0], argument: unknown, answers: Answers = {}) => {
		let result: unknown;
		const shown: Shown = await answerDialogs(answers, async () => {
			result = await window.executeCommand(command, argument);
		});
		return { record: result as RunRecord | undefined, shown };
	};

	it("publishes only the served file, not another file with its name or a file that isn't served", async () => {
		const publishFile = (name: string) =>
			executeCommand('agentWorkbench.agentFile.publish', getFileUri('elsewhere', name), { button: 'Publish' });
		await assert.rejects(publishFile('greet.yml'), { reason: 'double-name', message: /'greet' is served from '.*agents.greet\.yml'/ });
		await assert.rejects(publishFile('lonely.yml'), { reason: 'not-served', message: /lonely\.yml' because it isn't in an agents folder/ });
		await assert.rejects(executeCommand('agentWorkbench.agentFile.publish', getFileUri('elsewhere', 'greet.yml')), {
			reason: 'double-name',
		});
		assert.equal(
			await window.agents.files.readPublished(getFileUri('agents', 'greet.yml')),
			'',
			'nobody has said so, and nobody has run it',
		);
		await executeCommand('agentWorkbench.agentFile.publish', getFileUri('agents', 'greet.yml'), { button: 'Publish' });
		assert.equal(await window.agents.files.readPublished(getFileUri('agents', 'greet.yml')), published);
	});

	it('publishes a file that is opened through a symbolic link', async () => {
		fs.symlinkSync(path.join(folder, 'agents'), path.join(folder, 'link'), 'dir');
		assert.equal(await window.agents.files.readPublished(getFileUri('link', 'greet.yml')), published);
		assert.equal(await window.agents.files.findOtherServedFile(getFileUri('link', 'greet.yml')), undefined);
		assert.equal(
			await window.agents.files.findOtherServedFile(getFileUri('elsewhere', 'greet.yml')),
			path.join(folder, 'agents', 'greet.yml'),
		);
	});

	it("reruns a file's draft, with values of the types that the agent accepts", async () => {
		const document = await vscode.workspace.openTextDocument(getFileUri('elsewhere', 'greet.yml'));
		const { record } = await executeCommand('agentWorkbench.agentFile.runDraft', document.uri, { texts: ['Ada', '{"a": 1}'] });
		assert.deepEqual([record?.status, record?.outputs], ['succeeded', { draft: 'Ada', more: { a: 1 } }], record?.error);
		const again = (await executeCommand('agentWorkbench.run.runAgain', record?.key)).record;
		assert.notEqual(again?.key, record?.key);
		assert.deepEqual([again?.draft, again?.outputs], [true, { draft: 'Ada', more: { a: 1 } }], again?.error);
	});

	it('repeats a run with the same inputs after one pick, and links both runs in one chain', async () => {
		const { uri: file } = await vscode.workspace.openTextDocument(getFileUri('elsewhere', 'greet.yml'));
		const before = (await executeCommand('agentWorkbench.agentFile.runDraft', file, { picks: ['Enter inputs…'], texts: ['Bea', ''] }))
			.record;
		const { record } = await executeCommand('agentWorkbench.agentFile.runDraft', file, { picks: ['Use last inputs'] });
		assert.deepEqual([record?.draft, record?.repeats, record?.outputs?.['draft']], [true, before?.key, 'Bea'], record?.error);
	});

	it('shows code lenses in editors but not in comparisons', async () => {
		const { lenses } = window.runs;
		const shown = await vscode.workspace.openTextDocument(getFileUri('agents', 'greet.yml'));
		const compared = { ...shown, uri: shown.uri.with({ scheme: 'git' }), getText: () => published } as vscode.TextDocument;
		assert.notEqual((await window.agents.lenses.provideCodeLenses(shown)).length, 0);
		assert.equal((await window.agents.lenses.provideCodeLenses(compared)).length, 0);
		assert.equal(lenses.provideCodeLenses(compared).length, 0);
	});

	it('asks for a password in a masked input, sends it and stores it nowhere', async () => {
		const secret = 'open-sesame-42';
		let key = '';
		const run = async () => {
			const record = await window.runFile({ model: 'greet', inputs: { who: 'I am ${input:pin:password}' } }, 'secret.run.json');
			assert.equal(record?.status, 'succeeded', record?.error);
			assert.deepEqual(record?.outputs, { said: 'I am ${input:pin:password}' });
			key = record?.key ?? '';
		};
		await answerDialogs({ texts: [secret] }, run);
		const again = (await executeCommand('agentWorkbench.run.runAgain', key, { texts: [secret] })).record;
		assert.equal(again?.status, 'succeeded', again?.error);
		window.reopenWindow();
		const kept = fs
			.readdirSync(window.folder, { recursive: true, withFileTypes: true })
			.filter(entry => entry.isFile())
			.map(entry => fs.readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
		assert.ok(kept.some(text => text.includes('${input:pin:password}')));
		assert.ok(!kept.some(text => text.includes(secret)));
		assert.ok(!window.channel.text.includes(secret));
	});

	it('asks once for secrets without a value, and stores them nowhere', async () => {
		const document = await vscode.workspace.openTextDocument(getFileUri('agents', 'secretive.yml'));
		const run = async (texts: string[]) => (await executeCommand('agentWorkbench.agentFile.runDraft', document.uri, { texts })).record;
		const first = await run(['hush-hush']);
		assert.deepEqual([first?.status, first?.outputs], ['succeeded', { n: 9 }], first?.error);
		const again = await run([]);
		assert.deepEqual(again?.outputs, { n: 9 });
		await executeCommand('agentWorkbench.agentFile.setSecrets', document.uri, { picks: ['KEY'], texts: ['hush'] });
		assert.deepEqual((await run([]))?.outputs, { n: 4 });
		const kept = fs.readdirSync(window.folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
		assert.ok(kept.every(entry => !fs.readFileSync(path.join(entry.parentPath, entry.name), 'utf8').includes('hush')));
		assert.ok(!window.channel.text.includes('hush'));
		await assert.rejects(
			(async () => {
				await executeCommand('agentWorkbench.agentFile.setSecrets', document.uri, { picks: ['KEY'], texts: [''] });
				await executeCommand('agentWorkbench.agentFile.runDraft', document.uri, { texts: [undefined] });
			})(),
			{ name: 'Canceled' },
			'forgotten, it is asked for again, and nothing runs without an answer',
		);
	});

	it('starts at the picked trigger, or at the one that a run file names', async () => {
		const picked = await executeCommand('agentWorkbench.agentFile.runDraft', getFileUri('agents', 'twice.yml'), {
			texts: ['Ada'],
			picks: ['By hand'],
		});
		assert.deepEqual(picked.record?.outputs, { who: 'Ada' }, picked.record?.error);
		const body = { model: 'twice', inputs: {} };
		const late = await answerDialogs({ picks: ['Each night'] }, async () => {
			assert.deepEqual(Object.keys((await window.runFile(body, 'open.run.json'))?.outputs ?? {}), ['at']);
		});
		assert.deepEqual(late.placeHolders, ['Select a trigger']);
		const named = await answerDialogs({}, async () => {
			assert.deepEqual((await window.runFile({ model: 'twice', trigger: 'one', inputs: { who: 'Ben' } }, 'named.run.json'))?.outputs, {
				who: 'Ben',
			});
		});
		assert.deepEqual(named.placeHolders, []);
		await assert.rejects(
			window.runFile({ ...body, trigger: 'tow' }, 'wrong.run.json'),
			/'trigger' is 'tow', but 'twice' can't start with it\. Expected one of one, two/,
		);
	});
});
