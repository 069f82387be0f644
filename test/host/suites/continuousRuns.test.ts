import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { ContinuousRuns } from '#editor/suites/explorer/continuousRuns.ts';
import { readSuite } from '#suites/reading/readSuite.ts';

describe('running suites on save', function () {
	this.timeout(60_000);
	let folder: string;
	let log: vscode.LogOutputChannel;
	before(() => {
		folder = path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'saved');
		fs.mkdirSync(folder, { recursive: true });
		log = vscode.window.createOutputChannel('runs on save', { log: true });
	});
	after(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		fs.rmSync(folder, { recursive: true, force: true });
		log.dispose();
	});

	const createSuiteText = (name: string) => {
		const uri = vscode.Uri.file(path.join(folder, `${name}.suite.json`));
		fs.writeFileSync(uri.fsPath, '{ "model": "a", "cases": [{ "name": "one", "inputs": {} }] }');
		return uri;
	};
	const saveFile = async (uri: vscode.Uri) => {
		const edit = new vscode.WorkspaceEdit();
		const document = await vscode.workspace.openTextDocument(uri);
		edit.insert(uri, document.positionAt(0), ' ');
		await vscode.workspace.applyEdit(edit);
		assert.ok(await document.save());
	};

	it('runs only suites that depend on the file, one after another, and once for several saves meanwhile', async () => {
		const [first, second, other] = [createSuiteText('first'), createSuiteText('second'), createSuiteText('other')];
		const begun: string[][] = [];
		let going = 0;
		let most = 0;
		let wake = () => {};
		let end = () => {};
		const watched = [first, second].map(uri => ({ uri, items: [], excluded: [] }));
		const runs = new ContinuousRuns({
			requested: watched,
			readSuite: async ({ fsPath }) => {
				const context = { connection: 'c', agents: undefined, takesMocks: true, root: folder, t: vscode.l10n.t };
				return readSuite(fs.readFileSync(fsPath, 'utf8'), fsPath, context);
			},
			agents: async () => undefined,
			run: async concerned => {
				most = Math.max(most, ++going);
				begun.push(concerned.map(({ uri }) => path.basename(uri.fsPath, '.suite.json')));
				const over = new Promise<void>(resolve => {
					end = resolve;
				});
				wake();
				await over;
				going--;
			},
			log,
		});
		const waitForRuns = (count: number) =>
			new Promise<void>(resolve => {
				wake = () => begun.length >= count && resolve();
				wake();
			});
		await saveFile(other);
		await saveFile(first);
		await waitForRuns(1);
		assert.deepEqual(begun, [['first']]);
		await saveFile(second);
		await saveFile(second);
		await saveFile(first);
		end();
		await waitForRuns(2);
		assert.deepEqual(begun, [['first'], ['first', 'second']]);
		runs.dispose();
		await saveFile(second);
		end();
		assert.deepEqual([begun.length, most], [2, 1]);
	});
});
