// biome-ignore-all lint/suspicious/noTemplateCurlyInString: run files have placeholders like template literals
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { getRecordUri } from '#editor/runs/following/runDocumentProvider.ts';
import { type Answers, answerDialogs, type Shown } from '../../support/editor/answers.ts';
import { runInUntrustedWorkspace } from '../../support/editor/untrusted.ts';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { EventWriter, play } from '../../support/services/faultService.ts';
import { GatewayProcess } from '../support/gatewayProcess.ts';

const greet = `app: {name: greet, mode: workflow}
kind: app
version: "0.6.0"
workflow:
  graph:
    nodes:
      - {id: start, data: {type: start, title: Start, variables: [
          {variable: who, label: Who, type: text-input, required: true},
          {variable: tone, label: Tone, type: select, required: false, options: [dry, warm]}]}}
      - {id: end, data: {type: end, title: End, outputs: [{variable: said, value_selector: [start, who]}]}}
    edges:
      - {source: start, target: end}
`;
const played = { id: 'played', name: 'Played service', kind: 'gateway', user: 'eve' } as const;

describe('creating run files and choosing their target', () => {
	let folder: string;
	let gateway: GatewayProcess;
	let window: WindowUnderTest;
	/** Request bodies received by the fake service. */
	const sent: Record<string, unknown>[] = [];
	const made: vscode.Uri[] = [];

	before(async () => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-making-'));
		fs.mkdirSync(path.join(folder, 'agents'));
		fs.writeFileSync(path.join(folder, 'agents', 'greet.yml'), greet);
		gateway = await GatewayProcess.start(path.join(folder, 'data'), path.join(folder, 'agents'));
		window = new WindowUnderTest(gateway, [played]);
		await window.start();
		window.service.behaviour.run = async (response, body) => {
			sent.push(body);
			const events = new EventWriter(response);
			await events.sendEvents(play.started, play.finished('succeeded'));
			events.endStream();
		};
	});
	afterEach(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		for (const { fsPath } of made.splice(0)) {
			fs.rmSync(fsPath, { force: true });
		}
	});
	after(async () => {
		await window.dispose();
		await gateway.stop();
		fs.rmSync(folder, { recursive: true, force: true });
	});

	/** Executes a command and answers its dialogs; deletes created files after the test. */
	const executeCommand = async (command: Parameters<WindowUnderTest['executeCommand']>[0], argument: unknown, answers: Answers = {}) => {
		let result: unknown;
		const shown: Shown = await answerDialogs(answers, async () => {
			result = await window.executeCommand(command, argument);
		});
		if (result instanceof vscode.Uri) {
			made.push(result);
		}
		return { result, shown };
	};
	const readJson = (uri: unknown) => JSON.parse(fs.readFileSync((uri as vscode.Uri).fsPath, 'utf8')) as Record<string, unknown>;

	it("creates one with the agent's start variables from the lens of an agent file, next to the others of the workspace, and opens it", async () => {
		const document = await vscode.workspace.openTextDocument(path.join(folder, 'agents', 'greet.yml'));
		const lenses = await window.agents.lenses.provideCodeLenses(document);
		const lens = lenses.find(({ command }) => command?.title === 'New run file…')?.command;
		assert.equal(lens?.command, 'agentWorkbench.runFile.create');
		const { result: first } = await executeCommand('agentWorkbench.runFile.create', lens.arguments?.[0]);
		assert.deepEqual(readJson(first), { model: 'greet', inputs: { who: '', tone: 'dry' }, response_mode: 'streaming' });
		assert.equal((first as vscode.Uri).path, `${vscode.workspace.workspaceFolders?.[0]?.uri.path}/runs/greet.run.json`);
		assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), String(first));
		assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.isPreview, false, 'the next click must not replace it');
		const { result: second } = await executeCommand('agentWorkbench.runFile.create', lens.arguments?.[0]);
		assert.match(String(second), /\/runs\/greet-2\.run\.json$/);
	});

	it('creates one for the chosen agent from the command, and nothing if none is chosen', async () => {
		const { result, shown } = await executeCommand('agentWorkbench.runFile.create', undefined, { picks: ['greet'] });
		assert.deepEqual(shown.placeHolders, ["Select an agent of 'Test gateway'"]);
		assert.deepEqual(readJson(result)['inputs'], { who: '', tone: 'dry' });
		assert.equal((await executeCommand('agentWorkbench.runFile.create', undefined, { picks: [undefined] })).result, undefined);
	});

	it('saves a past run with its request where the user chooses, and runs it again from there', async () => {
		const record = await window.runFile({ model: 'greet', inputs: { who: 'Ada' }, user: 'ben' }, 'greet-ada.run.json');
		assert.equal(record?.outputs?.['said'], 'Ada', record?.error);
		const saveTo = vscode.Uri.file(path.join(window.folder, 'kept.json'));
		const { result, shown } = await executeCommand('agentWorkbench.run.saveAsRunFile', record?.key, { files: [saveTo] });
		assert.match(String(shown.saves[0]?.defaultUri), /\/runs\/greet\.run\.json$/);
		assert.equal((result as vscode.Uri).fsPath, path.join(window.folder, 'kept.run.json'), 'it has the ending of run files');
		const body = readJson(result);
		assert.deepEqual(body, { model: 'greet', inputs: { who: 'Ada' }, user: 'ben', response_mode: 'streaming' });
		assert.equal((await window.runFile(body, 'kept.run.json'))?.outputs?.['said'], 'Ada');
		assert.equal((await executeCommand('agentWorkbench.run.saveAsRunFile', record?.key)).result, undefined, 'called off');
	});

	it('sends a file to the connection and as the user chosen for it, even after a restart', async () => {
		const body = { model: 'greet', inputs: { who: 'Ada' } };
		const document = await window.openDocument('chosen.run.json', JSON.stringify(body));
		const findCodeLens = () =>
			window.runs.lenses.provideCodeLenses(document).find(({ command }) => command?.command === 'agentWorkbench.runFile.chooseConnection');
		assert.equal(findCodeLens()?.command?.title, '$(plug) Test gateway · ana');
		const chooseConnection = (picks: (string | undefined)[], texts: (string | undefined)[] = []) =>
			executeCommand('agentWorkbench.runFile.chooseConnection', document.uri, { picks, texts });
		await chooseConnection(['Played service'], [undefined]);
		assert.equal(findCodeLens()?.command?.title, '$(plug) Test gateway · ana', 'called off at the user');
		await chooseConnection(['Played service'], ['ada']);
		assert.equal(findCodeLens()?.command?.title, '$(plug) Played service · ada');
		await window.runFile(body, 'chosen.run.json');
		assert.equal(sent.at(-1)?.['user'], 'ada');
		window.reopenWindow();
		assert.equal((await window.runFile(body, 'chosen.run.json'))?.connectionId, 'played');
		assert.equal(sent.length, 2);
		await chooseConnection(['Default connection']);
		assert.equal((await window.runFile(body, 'chosen.run.json'))?.outputs?.['said'], 'Ada');
		assert.equal(sent.length, 2);
	});

	it('clears the history with its events after a confirmation', async () => {
		const record = await window.runFile({ model: 'greet', inputs: { who: 'Ada' } }, 'cleared.run.json');
		assert.ok(record);
		const findJournals = () => fs.globSync(`**/*${record.key}*`, { cwd: window.folder });
		assert.notDeepEqual(findJournals(), []);
		const { shown } = await executeCommand('agentWorkbench.run.clearHistory', undefined);
		assert.deepEqual(shown.warnings, ["Clear the run history of this workspace? Logs on the services won't be deleted."]);
		assert.equal(window.records.get(record.key)?.status, 'succeeded', 'called off');
		await executeCommand('agentWorkbench.run.clearHistory', undefined, { button: 'Clear' });
		assert.deepEqual(window.records.list(), []);
		assert.deepEqual(findJournals(), []);
		assert.equal(await window.runs.documents.provideTextDocumentContent(getRecordUri(record)), 'This run is no longer in the history.');
		window.reopenWindow();
		assert.deepEqual(window.records.list(), []);
	});

	it('gives an untrusted workspace no environment variable, and sends nothing', async () => {
		process.env['AW_TEST_SECRET'] = 'hush';
		try {
			await runInUntrustedWorkspace(async () => {
				const before = window.records.list().length;
				await assert.rejects(window.runFile({ model: 'greet', inputs: { who: '${env:AW_TEST_SECRET}' } }, 'planted.run.json'), {
					message: "'planted.run.json' wasn't sent: 'inputs.who': '${env:AW_TEST_SECRET}' isn't available in an untrusted workspace.",
				});
				assert.equal(window.records.list().length, before);
				// a service named in the file is just another field of the request
				const record = await window.runFile(
					{ model: 'greet', inputs: { who: 'x' }, connection: 'played', baseUrl: window.service.url },
					'planted-service.run.json',
				);
				assert.equal(record?.connectionId, 'built-in');
				assert.equal(sent.length, 2);
			});
		} finally {
			delete process.env['AW_TEST_SECRET'];
		}
	});
});
