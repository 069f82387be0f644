import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentFileFault } from '#contract/agents.ts';
import type { AgentFileSource } from '#editor/agents/files/agentFiles.ts';
import { AgentWarnings } from '#editor/agents/files/agentWarnings.ts';
import type { Connection, Connections } from '#editor/connections/connectionTypes.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';

describe('warnings of an agent file', () => {
	const builtIn: Connection = { id: 'built-in', name: 'Built-in gateway', kind: 'built-in', user: 'ana' };
	const createWarning = (message: string): AgentFileFault => ({ message, line: 12, path: 'workflow.graph', severity: 'warning' });
	let file: vscode.Uri;
	let faults: AgentFileFault[];
	let published: boolean;
	/** Texts that were checked. */
	let texts: string[];
	let warnings: AgentWarnings;
	let details: readonly string[];
	beforeEach(() => {
		file = vscode.Uri.file(path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'aw-warnings-')), 'shop.yml'));
		fs.writeFileSync(file.fsPath, 'app: {}');
		faults = [createWarning("refers to the node 'x', which doesn't exist")];
		published = false;
		texts = [];
		const checkText = async (text: AgentFileSource) => {
			texts.push(text.getText());
			return { variables: [], mode: 'workflow', faults };
		};
		const fetchAgents = async () => [{ name: 'shop', file: file.fsPath, published }];
		warnings = new AgentWarnings({ checkText }, { listAgents: fetchAgents } as unknown as Connections);
	});
	afterEach(() => fs.rmSync(path.dirname(file.fsPath), { recursive: true }));

	const confirmWarnings = async (button?: string, draft: vscode.Uri | undefined = undefined, connection = builtIn) => {
		let ran = true;
		const shown = await answerDialogs({ ...(button && { button }) }, () =>
			warnings.confirmWarnings(connection, 'shop', draft).catch(error => {
				assert.ok(error instanceof vscode.CancellationError);
				ran = false;
			}),
		);
		details = shown.details;
		return [shown.warnings, ran];
	};
	const question = ["'shop.yml' has a warning. Run it anyway?"];

	it('are shown before a draft runs, which runs only if the user accepts', async () => {
		assert.deepEqual(await confirmWarnings(undefined, file), [question, false]);
		assert.deepEqual(await confirmWarnings('Run anyway', file), [question, true]);
	});

	it("are shown in the words of the editor's own problems, which are translated", async () => {
		await confirmWarnings(undefined, file);
		assert.deepEqual(details, ["shop.yml:12: workflow.graph: refers to the node 'x', which doesn't exist"]);
		const problem = new vscode.Diagnostic(
			new vscode.Range(new vscode.Position(11, 0), new vscode.Position(11, 5)),
			'ノード x がありません。',
		);
		const languages = vscode.languages as { getDiagnostics: unknown };
		const { getDiagnostics } = languages;
		languages.getDiagnostics = () => [problem];
		try {
			await confirmWarnings(undefined, file);
		} finally {
			languages.getDiagnostics = getDiagnostics;
		}
		assert.deepEqual(details, ['shop.yml:12: ノード x がありません。']);
	});

	it('are shown once, and again if there are new ones', async () => {
		await confirmWarnings('Run anyway', file);
		assert.deepEqual(await confirmWarnings(undefined, file), [[], true]);
		faults.push(createWarning("refers to the node 'y', which doesn't exist"));
		assert.deepEqual(await confirmWarnings(undefined, file), [["'shop.yml' has 2 warnings. Run it anyway?"], false]);
	});

	it('are shown before a run that publishes the file, but not for published agents or other services', async () => {
		assert.deepEqual(await confirmWarnings(), [question, false]);
		published = true;
		assert.deepEqual(await confirmWarnings(), [[], true]);
		assert.deepEqual(await confirmWarnings(undefined, undefined, { ...builtIn, kind: 'gateway' }), [[], true]);
	});

	it("are checked in the saved text before a first run, and in the editor's text before a draft", async () => {
		const open = vscode.workspace.openTextDocument;
		const dirty = { uri: file, getText: () => 'app: { mode: workflow }' };
		Object.assign(vscode.workspace, { openTextDocument: async () => dirty });
		try {
			await confirmWarnings();
			await confirmWarnings(undefined, file);
		} finally {
			Object.assign(vscode.workspace, { openTextDocument: open });
		}
		assert.deepEqual(texts, ['app: {}', dirty.getText()]);
	});

	it('are checked again if the file changes while the user is asked', async () => {
		const show = vscode.window.showWarningMessage;
		const asked: string[] = [];
		Object.assign(vscode.window, {
			showWarningMessage: async (question: string) => {
				asked.push(question);
				if (asked.length === 1) {
					faults = [...faults, createWarning("refers to the node 'y', which doesn't exist")];
					return 'Run anyway';
				}
				return undefined;
			},
		});
		try {
			await assert.rejects(warnings.confirmWarnings(builtIn, 'shop', undefined), vscode.CancellationError);
		} finally {
			Object.assign(vscode.window, { showWarningMessage: show });
		}
		assert.deepEqual(asked, [...question, "'shop.yml' has 2 warnings. Run it anyway?"]);
	});

	it("don't include errors, because the run itself reports them", async () => {
		faults = [{ ...createWarning('expected a list'), severity: 'error' }];
		assert.deepEqual(await confirmWarnings(undefined, file), [[], true]);
	});
});
