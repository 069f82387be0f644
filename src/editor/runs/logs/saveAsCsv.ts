import * as vscode from 'vscode';
import type { WorkflowRunDetail } from '#contract/workflows.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { escapeLinks } from '../../platform/wording.ts';
import { exportLogs } from './exportLogs.ts';

/** Asks for a file and writes runs to it as CSV, with a progress notification that can be canceled. */
export async function saveLogsAsCsv(
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
		{ location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Exporting runs'), cancellable: true },
		(progress, token) => {
			const canceling = new AbortController();
			token.onCancellationRequested(() => canceling.abort());
			let before = 0;
			const reportProgress = (written: number) => {
				progress.report({ increment: ((written - before) / entries.length) * 100, message: `${written}/${entries.length}` });
				before = written;
			};
			return exportLogs(uri.fsPath, entries, read, { signal: canceling.signal, progress: reportProgress }).catch((error: unknown) => {
				if (!canceling.signal.aborted) {
					throw error;
				}
				return undefined;
			});
		},
	);
	if (!outcome) {
		return;
	}
	const open = vscode.l10n.t({ message: 'Open', comment: ['verb: button that opens the exported file'] });
	if (
		(await vscode.window.showInformationMessage(escapeLinks(formatExportOutcome(outcome, vscode.workspace.asRelativePath(uri))), open)) ===
		open
	) {
		await vscode.commands.executeCommand('vscode.open', uri);
	}
}

function formatExportOutcome({ written, withoutValues }: Awaited<ReturnType<typeof exportLogs>>, file: string): string {
	if (withoutValues > 0) {
		return written === 1
			? vscode.l10n.t("Exported 1 run to '{0}', but couldn't read its inputs and outputs.", file)
			: vscode.l10n.t("Exported {0} runs to '{1}'. Couldn't read inputs and outputs for {2} of them.", written, file, withoutValues);
	}
	return written === 1 ? vscode.l10n.t("Exported 1 run to '{0}'.", file) : vscode.l10n.t("Exported {0} runs to '{1}'.", written, file);
}
