// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of run files look so
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { getRecordUri } from '#editor/runs/following/runDocumentProvider.ts';
import { type Answers, answering, type Shown } from '../../support/editor/answers.ts';
import { untrusted } from '../../support/editor/untrusted.ts';
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

describe('making run files, and where they are sent', () => {
	let folder: string;
	let gateway: GatewayProcess;
	let window: WindowUnderTest;
	/** Bodies that the played service was sent. */
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
			await events.send(play.started, play.finished('succeeded'));
			events.end();
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

	/** Carries out a command while the user answers; a file that it makes is removed after the test. */
	const execute = async (command: Parameters<WindowUnderTest['execute']>[0], argument: unknown, answers: Answers = {}) => {
		let result: unknown;
		const shown: Shown = await answering(answers, async () => {
			result = await window.execute(command, argument);
		});
		if (result instanceof vscode.Uri) {
			made.push(result);
		}
		return { result, shown };
	};
	const read = (uri: unknown) => JSON.parse(fs.readFileSync((uri as vscode.Uri).fsPath, 'utf8')) as Record<string, unknown>;

	it('the lens of an agent file makes one with its start variables, beside others of the workspace, and opens it', async () => {
		const document = await vscode.workspace.openTextDocument(path.join(folder, 'agents', 'greet.yml'));
		const lenses = await window.agents.lenses.provideCodeLenses(document);
		const lens = lenses.find(({ command }) => command?.title === 'New run file…')?.command;
		assert.equal(lens?.command, 'agentWorkbench.runFile.create');
		const { result: first } = await execute('agentWorkbench.runFile.create', lens.arguments?.[0]);
		assert.deepEqual(read(first), { model: 'greet', inputs: { who: '', tone: 'dry' }, response_mode: 'streaming' });
		assert.equal((first as vscode.Uri).path, `${vscode.workspace.workspaceFolders?.[0]?.uri.path}/runs/greet.run.json`);
		assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), String(first));
		assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.isPreview, false, 'the next click must not replace it');
		const { result: second } = await execute('agentWorkbench.runFile.create', lens.arguments?.[0]);
		assert.match(String(second), /\/runs\/greet-2\.run\.json$/);
	});

	it('the command asks for the agent, and makes nothing where none is picked', async () => {
		const { result, shown } = await execute('agentWorkbench.runFile.create', undefined, { picks: ['greet'] });
		assert.deepEqual(shown.placeHolders, ['Choose an agent of Test gateway']);
		assert.deepEqual(read(result)['inputs'], { who: '', tone: 'dry' });
		assert.equal((await execute('agentWorkbench.runFile.create', undefined, { picks: [undefined] })).result, undefined);
	});

	it('a past run is saved as one where the user says, with what was sent, and runs from it again', async () => {
		const record = await window.run({ model: 'greet', inputs: { who: 'Ada' }, user: 'ben' }, 'greet-ada.run.json');
		assert.equal(record?.outputs?.['said'], 'Ada', record?.error);
		const saveTo = vscode.Uri.file(path.join(window.folder, 'kept.json'));
		const { result, shown } = await execute('agentWorkbench.run.saveAsRunFile', record?.key, { files: [saveTo] });
		assert.match(String(shown.saves[0]?.defaultUri), /\/runs\/greet\.run\.json$/);
		assert.equal((result as vscode.Uri).fsPath, path.join(window.folder, 'kept.run.json'), 'it has the ending of run files');
		const body = read(result);
		assert.deepEqual(body, { model: 'greet', inputs: { who: 'Ada' }, user: 'ben', response_mode: 'streaming' });
		assert.equal((await window.run(body, 'kept.run.json'))?.outputs?.['said'], 'Ada');
		assert.equal((await execute('agentWorkbench.run.saveAsRunFile', record?.key)).result, undefined, 'called off');
	});

	it('a file is sent to the connection and as the user that were chosen for it, after a restart too', async () => {
		const body = { model: 'greet', inputs: { who: 'Ada' } };
		const document = await window.document('chosen.run.json', JSON.stringify(body));
		const lens = () =>
			window.runs.lenses.provideCodeLenses(document).find(({ command }) => command?.command === 'agentWorkbench.runFile.chooseConnection');
		assert.equal(lens()?.command?.title, '$(plug) Test gateway · ana');
		const choose = (picks: (string | undefined)[], texts: (string | undefined)[] = []) =>
			execute('agentWorkbench.runFile.chooseConnection', document.uri, { picks, texts });
		await choose(['Played service'], [undefined]);
		assert.equal(lens()?.command?.title, '$(plug) Test gateway · ana', 'called off at the user');
		await choose(['Played service'], ['ada']);
		assert.equal(lens()?.command?.title, '$(plug) Played service · ada');
		await window.run(body, 'chosen.run.json');
		assert.equal(sent.at(-1)?.['user'], 'ada');
		window.reopen();
		assert.equal((await window.run(body, 'chosen.run.json'))?.connectionId, 'played');
		assert.equal(sent.length, 2);
		await choose(['Default connection']);
		assert.equal((await window.run(body, 'chosen.run.json'))?.outputs?.['said'], 'Ada');
		assert.equal(sent.length, 2);
	});

	it('the history is cleared once the user says so, events and all', async () => {
		const record = await window.run({ model: 'greet', inputs: { who: 'Ada' } }, 'cleared.run.json');
		assert.ok(record);
		const journals = () => fs.globSync(`**/*${record.key}*`, { cwd: window.folder });
		assert.notDeepEqual(journals(), []);
		const { shown } = await execute('agentWorkbench.run.clearHistory', undefined);
		assert.deepEqual(shown.warnings, ['Clear the run history of this workspace? Logs of the services are kept.']);
		assert.equal(window.records.get(record.key)?.status, 'succeeded', 'called off');
		await execute('agentWorkbench.run.clearHistory', undefined, { button: 'Clear' });
		assert.deepEqual(window.records.list(), []);
		assert.deepEqual(journals(), []);
		assert.equal(await window.runs.documents.provideTextDocumentContent(getRecordUri(record)), 'This run is no longer in the history.');
		window.reopen();
		assert.deepEqual(window.records.list(), []);
	});

	it('a workspace that is not trusted gets no environment variable, and nothing is sent', async () => {
		process.env['AW_TEST_SECRET'] = 'hush';
		try {
			await untrusted(async () => {
				const before = window.records.list().length;
				await assert.rejects(window.run({ model: 'greet', inputs: { who: '${env:AW_TEST_SECRET}' } }, 'planted.run.json'), {
					message: "'planted.run.json' wasn't sent: 'inputs.who': ${env:AW_TEST_SECRET} isn't available in an untrusted workspace.",
				});
				assert.equal(window.records.list().length, before);
				// what the file itself says of services is no more than a field of the request
				const record = await window.run(
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
