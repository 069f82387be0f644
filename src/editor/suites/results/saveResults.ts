import * as vscode from 'vscode';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { escapeLinks } from '../../platform/wording.ts';
import { type ExportFormat, exportResults } from './exportResults.ts';

/** Asks for a file and exports results to it, with a progress notification that can be canceled. `count` is the number of results. */
export async function saveResults(name: string, format: ExportFormat, results: AsyncIterable<CaseResult>, count: number): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const file = `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}-results.${format}`;
	const uri = await vscode.window.showSaveDialog({
		title: vscode.l10n.t('Export Results'),
		filters: { [format.toUpperCase()]: [format] },
		...(folder ? { defaultUri: vscode.Uri.joinPath(folder, file) } : {}),
	});
	if (!uri) {
		return;
	}
	const written = await vscode.window.withProgress(
		{
			location: vscode.ProgressLocation.Notification,
			title: count === 1 ? vscode.l10n.t('Exporting 1 result') : vscode.l10n.t('Exporting {0} results', count),
			cancellable: true,
		},
		(progress, token) => {
			const ending = new AbortController();
			token.onCancellationRequested(() => ending.abort());
			let before = 0;
			const reportProgress = (done: number) => {
				progress.report({ increment: ((done - before) / Math.max(1, count)) * 100, message: `${done}/${count}` });
				before = done;
			};
			return exportResults(uri.fsPath, format, results, { signal: ending.signal, progress: reportProgress }).catch((error: unknown) => {
				if (!ending.signal.aborted) {
					throw error;
				}
				return undefined;
			});
		},
	);
	if (written === undefined) {
		return;
	}
	const open = vscode.l10n.t({ message: 'Open', comment: ['verb: button that opens the exported file'] });
	const target = vscode.workspace.asRelativePath(uri);
	const message =
		written === 1 ? vscode.l10n.t("Exported 1 result to '{0}'.", target) : vscode.l10n.t("Exported {0} results to '{1}'.", written, target);
	if ((await vscode.window.showInformationMessage(escapeLinks(message), open)) === open) {
		await vscode.commands.executeCommand('vscode.open', uri);
	}
}
