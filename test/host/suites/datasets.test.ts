import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Answers, answerDialogs } from '../../support/editor/answers.ts';
import { getInstalledApi } from '../support/installedApi.ts';

describe('datasets and imported suites in the editor', function () {
	this.timeout(120_000);
	let folder: string;
	before(() => {
		folder = path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'imported');
		fs.mkdirSync(folder, { recursive: true });
	});
	after(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		fs.rmSync(folder, { recursive: true, force: true });
	});

	/** Executes a command of the extension with answers for its dialogs. */
	const execute = (answers: Answers, name: string, ...args: unknown[]) =>
		answerDialogs(answers, async () => vscode.commands.executeCommand(`agentWorkbench.${name}`, ...args), getInstalledApi());
	const listTabs = () =>
		vscode.window.tabGroups.all.flatMap(({ tabs }) =>
			tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
		);

	it('write the rows that were shown, close the unsaved ones, and set the dataset of the open suite', async () => {
		const suite = vscode.Uri.file(path.join(folder, 'rows.suite.json'));
		fs.writeFileSync(suite.fsPath, '{\n\t"model": "summarize",\n\t"cases": [{ "name": "a", "inputs": { "text": "One." } }]\n}\n');
		await vscode.window.showTextDocument(suite, { preview: false });
		const rows = vscode.Uri.file(path.join(folder, 'rows.jsonl'));
		const answers = { picks: ['From the start variables'], texts: ['3'], files: [rows], buttons: ['Save…', 'Use dataset'] };
		const shown = await execute(answers, 'dataset.create');
		assert.equal(shown.infos[0], "Created 3 rows for 'summarize'. They aren't saved yet.");
		assert.equal(fs.readFileSync(rows.fsPath, 'utf8').trim().split('\n').length, 3);
		assert.deepEqual(
			listTabs().filter(({ scheme }) => scheme === 'untitled'),
			[],
		);
		const document = await vscode.workspace.openTextDocument(suite);
		assert.deepEqual([document.isDirty, JSON.parse(document.getText()).dataset], [true, { file: './rows.jsonl', name: '{{$name}}' }]);
		await document.save();
	});

	it('import a suite, open it, and list what is not mapped in Problems until the file changes', async () => {
		const file = vscode.Uri.file(path.join(folder, 'promptfooconfig.yaml'));
		fs.writeFileSync(file.fsPath, 'prompts: ["Say {{x}}"]\ntests:\n  - vars: { x: hi }\n    assert: [{ type: javascript, value: "1" }]\n');
		const suite = vscode.Uri.file(path.join(folder, 'promptfooconfig.suite.json'));
		await execute({ picks: ['Models that the file names'], files: [suite] }, 'suite.import', file);
		assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, suite.fsPath);
		const listProblems = () => vscode.languages.getDiagnostics(file).map(({ range, code }) => [range.start.line, code]);
		assert.deepEqual(listProblems(), [[3, 'not-mapped']]);
		const edit = new vscode.WorkspaceEdit();
		edit.insert(file, new vscode.Position(0, 0), '# mine\n');
		await vscode.workspace.applyEdit(edit);
		assert.deepEqual(listProblems(), []);
		await (await vscode.workspace.openTextDocument(file)).save();
	});
});
