import * as vscode from 'vscode';
import type { WorkflowRunDetail } from '#contract/workflows.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { exportLogs } from './exportLogs.ts';

/** Asks for a file and writes runs to it as CSV; can be called off. */
export async function saveAsCsv(
	name: string,
	entries: readonly LogEntry[],
	read: (entry: LogEntry) => Promise<WorkflowRunDetail>,
): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const file = `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}-logs.csv`;
	const uri = await vscode.window.showSaveDialog({
		title: vscode.l10n.t('Export CSV'),
		filters: { CSV: ['csv'] },
		...(folder ? { defaultUri: vscode.Uri.joinPath(folder, file) } : {}),
	});
	if (!uri) {
		return;
	}
	const outcome = await vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Exporting {0} runs', entries.length), cancellable: true },
		(progress, token) => {
			const ending = new AbortController();
			token.onCancellationRequested(() => ending.abort());
			let before = 0;
			const told = (written: number) => {
				progress.report({ increment: ((written - before) / entries.length) * 100, message: `${written}/${entries.length}` });
				before = written;
			};
			return exportLogs(uri.fsPath, entries, read, { signal: ending.signal, progress: told });
		},
	);
	const sentence = vscode.l10n.t('{0} runs were written to {1}.', outcome.written, vscode.workspace.asRelativePath(uri));
	const missing =
		outcome.withoutValues > 0 ? vscode.l10n.t('Inputs and outputs of {0} of them could not be read.', outcome.withoutValues) : '';
	const open = vscode.l10n.t('Open');
	if ((await vscode.window.showInformationMessage([sentence, missing].filter(Boolean).join(' '), open)) === open) {
		await vscode.commands.executeCommand('vscode.open', uri);
	}
}
