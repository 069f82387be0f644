import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { RunRecord } from '#runs/runTypes.ts';

const getDispatchers = (): unknown[] => [1, 2].map(n => Reflect.get(globalThis, Symbol.for(`undici.globalDispatcher.${n}`)));

describe('run files and the built-in gateway', () => {
	let runs: string;
	const getSampleFile = (name: string) => vscode.Uri.file(path.join(runs, name));
	const runFile = (name: string) =>
		vscode.commands.executeCommand<RunRecord | undefined>('agentWorkbench.workflow.runFile', getSampleFile(name));

	before(() => {
		const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
		assert.ok(folder);
		runs = path.join(folder, 'runs');
	});

	it('run the sample with streaming, with a local file as its text', async () => {
		const before = getDispatchers();
		const record = await runFile('annual-report.run.json');
		assert.equal(record?.status, 'succeeded', record?.error);
		assert.equal(record?.agent, 'summarize');
		assert.equal(record?.user, 'ana');
		assert.match(String(record?.outputs?.['summary']), /Harbour Street Library/);
		assert.deepEqual(
			getDispatchers().map((dispatcher, at) => dispatcher === before[at]),
			[true, true],
			'the process-wide dispatchers are not ours',
		);
	});

	it("run the editor's text, saved or not", async () => {
		const document = await vscode.workspace.openTextDocument(getSampleFile('annual-report.run.json'));
		const edit = new vscode.WorkspaceEdit();
		const text = document.getText();
		edit.replace(
			document.uri,
			new vscode.Range(document.positionAt(text.indexOf('"ana"')), document.positionAt(text.indexOf('"ana"') + 5)),
			'"ben"',
		);
		await vscode.workspace.applyEdit(edit);
		await vscode.window.showTextDocument(document);
		const record = await vscode.commands.executeCommand<RunRecord | undefined>('agentWorkbench.workflow.runFileBlocking');
		assert.equal(record?.user, 'ben');
		assert.equal(record?.mode, 'blocking');
		assert.equal(record?.status, 'succeeded', record?.error);
		await vscode.commands.executeCommand('workbench.action.files.revert');
	});

	it("that aren't valid show problems at their positions, and send nothing", async () => {
		// the list of agents is known once the gateway runs
		assert.equal((await runFile('annual-report.run.json'))?.status, 'succeeded');
		fs.writeFileSync(
			getSampleFile('wrong.run.json').fsPath,
			'{\n\t"model": "sumarize",\n\t"inputs": { "sentences": "few" },\n\t"response_mode": "slow"\n}\n',
		);
		const document = await vscode.workspace.openTextDocument(getSampleFile('wrong.run.json'));
		const found = await waitForDiagnostics(document.uri, 2);
		assert.deepEqual(
			found.map(({ message, range, severity }) => [document.getText(range), severity, message]),
			[
				[
					'"sumarize"',
					vscode.DiagnosticSeverity.Error,
					"'model' is 'sumarize', but 'Built-in gateway' has no such agent. Expected one of approve-notice, assistant, fails-on-purpose, handbook, review-batch, summarize, support, tide-guide, ….",
				],
				['"slow"', vscode.DiagnosticSeverity.Error, '\'response_mode\' is "slow". Expected "streaming" or "blocking".'],
			],
		);
		assert.equal(await runFile('wrong.run.json'), undefined);
		const edit = new vscode.WorkspaceEdit();
		edit.replace(document.uri, new vscode.Range(0, 0, 9, 0), '{ "model": "summarize", "inputs": { "sentences": "few" } }');
		await vscode.workspace.applyEdit(edit);
		assert.deepEqual(
			(await waitForDiagnostics(document.uri, 2, 'inputs.text')).map(({ message }) => message),
			[
				"'inputs.text' is missing. Expected a string with a maximum length of 200000, required by 'summarize'.",
				'\'inputs.sentences\' is "few". Expected a number.',
			],
		);
	});
});

/** Resolves with our diagnostics of a file, sorted by position, once there are `count` of them and the first contains the text. */
async function waitForDiagnostics(uri: vscode.Uri, count: number, text = ''): Promise<vscode.Diagnostic[]> {
	const getOwnDiagnostics = () =>
		vscode.languages
			.getDiagnostics(uri)
			.filter(({ source }) => source === 'Agent Workbench')
			.toSorted((a, b) => a.range.start.compareTo(b.range.start));
	return new Promise(resolve => {
		const checkDiagnostics = () => {
			const found = getOwnDiagnostics();
			if (found.length === count && found.some(({ message }) => message.includes(text))) {
				listener.dispose();
				resolve(found);
			}
		};
		const listener = vscode.languages.onDidChangeDiagnostics(checkDiagnostics);
		checkDiagnostics();
	});
}
