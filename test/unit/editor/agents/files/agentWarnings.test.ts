import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentFileFault } from '#contract/agents.ts';
import type { AgentFileSource } from '#editor/agents/files/agentFiles.ts';
import { AgentWarnings } from '#editor/agents/files/agentWarnings.ts';
import type { Connection, Connections } from '#editor/connections/connectionTypes.ts';
import { answering } from '../../../../support/editor/answers.ts';

describe('what is doubtful in an agent file', () => {
	const builtIn: Connection = { id: 'built-in', name: 'Built-in gateway', kind: 'built-in', user: 'ana' };
	const doubt = (message: string): AgentFileFault => ({ message, line: 12, path: 'workflow.graph', severity: 'warning' });
	let file: vscode.Uri;
	let faults: AgentFileFault[];
	let published: boolean;
	/** What was checked. */
	let texts: string[];
	let warnings: AgentWarnings;
	beforeEach(() => {
		file = vscode.Uri.file(path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'aw-warnings-')), 'shop.yml'));
		fs.writeFileSync(file.fsPath, 'app: {}');
		faults = [doubt('refers to the node "x", which does not exist')];
		published = false;
		texts = [];
		const check = async (text: AgentFileSource) => {
			texts.push(text.getText());
			return { variables: [], mode: 'workflow', faults };
		};
		const agents = async () => [{ name: 'shop', file: file.fsPath, published }];
		warnings = new AgentWarnings({ check }, { agents } as unknown as Connections);
	});
	afterEach(() => fs.rmSync(path.dirname(file.fsPath), { recursive: true }));

	const ask = async (button?: string, draft: vscode.Uri | undefined = undefined, connection = builtIn) => {
		let ran = true;
		const shown = await answering({ ...(button && { button }) }, () =>
			warnings.confirm(connection, 'shop', draft).catch(error => {
				assert.ok(error instanceof vscode.CancellationError);
				ran = false;
			}),
		);
		return [shown.warnings, ran];
	};
	const question = ["'shop.yml' has a warning. Run it anyway?"];

	it('is told before a draft runs, and runs only where the user says so', async () => {
		assert.deepEqual(await ask(undefined, file), [question, false]);
		assert.deepEqual(await ask('Run Anyway', file), [question, true]);
	});

	it('is told once, and again where something else is doubtful', async () => {
		await ask('Run Anyway', file);
		assert.deepEqual(await ask(undefined, file), [[], true]);
		faults.push(doubt('refers to the node "y", which does not exist'));
		assert.deepEqual(await ask(undefined, file), [["'shop.yml' has 2 warnings. Run it anyway?"], false]);
	});

	it('is told before the run that publishes a file, and of none that somebody has published, or that another service has', async () => {
		assert.deepEqual(await ask(), [question, false]);
		published = true;
		assert.deepEqual(await ask(), [[], true]);
		assert.deepEqual(await ask(undefined, undefined, { ...builtIn, kind: 'gateway' }), [[], true]);
	});

	it('is looked for in what is saved, which a first run publishes, and in what the editor has where a draft runs', async () => {
		const open = vscode.workspace.openTextDocument;
		const dirty = { uri: file, getText: () => 'app: { mode: workflow }' };
		Object.assign(vscode.workspace, { openTextDocument: async () => dirty });
		try {
			await ask();
			await ask(undefined, file);
		} finally {
			Object.assign(vscode.workspace, { openTextDocument: open });
		}
		assert.deepEqual(texts, ['app: {}', dirty.getText()]);
	});

	it('is asked about again where the file changes while the user is asked', async () => {
		const show = vscode.window.showWarningMessage;
		const asked: string[] = [];
		Object.assign(vscode.window, {
			showWarningMessage: async (question: string) => {
				asked.push(question);
				if (asked.length === 1) {
					faults = [...faults, doubt('refers to the node "y", which does not exist')];
					return 'Run Anyway';
				}
				return undefined;
			},
		});
		try {
			await assert.rejects(warnings.confirm(builtIn, 'shop', undefined), vscode.CancellationError);
		} finally {
			Object.assign(vscode.window, { showWarningMessage: show });
		}
		assert.deepEqual(asked, [...question, "'shop.yml' has 2 warnings. Run it anyway?"]);
	});

	it('is no error, which the run itself is refused for', async () => {
		faults = [{ ...doubt('expected a list'), severity: 'error' }];
		assert.deepEqual(await ask(undefined, file), [[], true]);
	});
});
