import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { composeReport, type ReportedExtension } from '#editor/support/reportIssue.ts';
import { getExtensionUnderTest } from '../../support/editor/extensionUnderTest.ts';
import { MemorySecrets } from '../../support/editor/memorySecrets.ts';

describe('the issue report of the installed extension', () => {
	after(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

	it('opens as a text with versions, settings without their values, and the log', async () => {
		const { version } = getExtensionUnderTest().packageJSON as { version: string };
		const settings = vscode.workspace.getConfiguration('agentWorkbench.gateway');
		await settings.update('allowedOrigins', ['https://intranet.example'], vscode.ConfigurationTarget.Global);
		// the command ends only when the user answers its message
		void vscode.commands.executeCommand('agentWorkbench.issue.report');
		const document = await new Promise<vscode.TextDocument>(resolve => {
			const listening = vscode.window.onDidChangeActiveTextEditor(editor => {
				if (editor?.document.isUntitled) {
					listening.dispose();
					resolve(editor.document);
				}
			});
		});
		await settings.update('allowedOrigins', undefined, vscode.ConfigurationTarget.Global);
		const text = document.getText();
		assert.ok(text.includes(`- Agent Workbench: ${version}\n- VS Code: ${vscode.version}`), text);
		assert.match(text, /- `agentWorkbench\.gateway\.allowedOrigins`: \(set, value not shown\)\n/);
		assert.ok(!text.includes('intranet.example'));
		assert.match(text, /\n## Log\n\n```text\n/);
	});

	it('contains the end of the log, without the keys of the keyring and of the gateway', async () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-report-'));
		const secrets = new MemorySecrets();
		await secrets.store('key a', '{"agent":"my own words"}');
		fs.writeFileSync(path.join(folder, 'gateway.key'), 'plain words too\n');
		fs.writeFileSync(path.join(folder, 'Agent Workbench.log'), `${'[info] old\n'.repeat(9000)}[error] my own words, plain words too\n`);
		const context = { extension: getExtensionUnderTest(), secrets, logUri: vscode.Uri.file(folder) };
		const text = await composeReport(context as unknown as ReportedExtension, folder);
		fs.rmSync(folder, { recursive: true });
		assert.match(text, /\[info\] old\n\[error\] \*\*\*, \*\*\*\n```\n$/);
		assert.equal(text.split('[info] old').length, 150);
	});
});
