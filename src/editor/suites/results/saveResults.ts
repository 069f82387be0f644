import * as vscode from 'vscode';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { withoutLinks } from '../../platform/wording.ts';
import { type ExportFormat, exportResults } from './exportResults.ts';

/** Asks for a file and writes results to it; can be called off. `count`: how many there are. */
export async function saveResults(name: string, format: ExportFormat, results: AsyncIterable<CaseResult>, count: number): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const file = `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}-results.${format}`;
	const uri = await vscode.window.showSaveDialog({
		title: vscode.l10n.t('Export results'),
		filters: { [format.toUpperCase()]: [format] },
		...(folder ? { defaultUri: vscode.Uri.joinPath(folder, file) } : {}),
	});
	if (!uri) {
		return;
	}
	const written = await vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Exporting {0} results', count), cancellable: true },
		(progress, token) => {
			const ending = new AbortController();
			token.onCancellationRequested(() => ending.abort());
			let before = 0;
			const told = (done: number) => {
				progress.report({ increment: ((done - before) / Math.max(1, count)) * 100, message: `${done}/${count}` });
				before = done;
			};
			return exportResults(uri.fsPath, format, results, { signal: ending.signal, progress: told });
		},
	);
	const open = vscode.l10n.t('Open');
	const sentence = vscode.l10n.t('{0} results were written to {1}.', written, vscode.workspace.asRelativePath(uri));
	if ((await vscode.window.showInformationMessage(withoutLinks(sentence), open)) === open) {
		await vscode.commands.executeCommand('vscode.open', uri);
	}
}
