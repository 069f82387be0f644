import path from 'node:path';
import { findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { isInsideFolder } from '#base/files/fileScope.ts';
import { formatRelativePath } from '#base/files/relativePath.ts';
import { joinSentences } from '#base/text/joinSentences.ts';
import { escapeLinks } from '../../platform/wording.ts';
import { getSuiteRoot } from '../suiteFiles.ts';

/** Says that a dataset was written, and offers to use it in the open suite if that may read it. */
export async function offerDataset(dataset: vscode.Uri, rows: number, hasQuery: boolean, suite: vscode.Uri | undefined): Promise<void> {
	const name = vscode.workspace.asRelativePath(dataset);
	const done = rows === 1 ? vscode.l10n.t("Saved 1 row to '{0}'.", name) : vscode.l10n.t("Saved {0} rows to '{1}'.", rows, name);
	if (!suite || !isInsideFolder(dataset.fsPath, getSuiteRoot(suite))) {
		void vscode.window.showInformationMessage(escapeLinks(done));
		return;
	}
	const document = await vscode.workspace.openTextDocument(suite);
	const tree = parseTree(document.getText());
	const has = tree && findNodeAtLocation(tree, ['dataset']) !== undefined;
	const button = has ? vscode.l10n.t('Replace dataset') : vscode.l10n.t('Use dataset');
	const suiteName = path.basename(suite.fsPath);
	const question = has
		? vscode.l10n.t("Replace the dataset of '{0}' with this file?", suiteName)
		: vscode.l10n.t("Use this file as the dataset of '{0}'?", suiteName);
	if ((await vscode.window.showInformationMessage(escapeLinks(joinSentences(done, question)), button)) === button) {
		await setDataset(document.uri, formatRelativePath(dataset.fsPath, path.dirname(suite.fsPath)), hasQuery);
	}
}

/** Sets the dataset of a suite as one edit that can be undone. Doesn't save the document. `file` is relative to the suite. */
async function setDataset(suite: vscode.Uri, file: string, hasQuery: boolean): Promise<void> {
	// the suite may have changed while the user was asked
	const document = await vscode.workspace.openTextDocument(suite);
	const dataset = { file: file.startsWith('../') ? file : `./${file}`, name: '{{$name}}', ...(hasQuery && { query: '{{query}}' }) };
	const edit = new vscode.WorkspaceEdit();
	for (const { offset, length, content } of createDatasetEdits(document.getText(), dataset)) {
		edit.replace(suite, new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), content);
	}
	await vscode.workspace.applyEdit(edit);
	await vscode.window.showTextDocument(document, { preview: false });
}

/** Returns the edits that set the dataset of a suite. */
export function createDatasetEdits(text: string, dataset: Readonly<Record<string, unknown>>) {
	const unit = /^([ \t]+)"/m.exec(text)?.[1] ?? '\t';
	const formattingOptions = { insertSpaces: !unit.includes('\t'), tabSize: unit.includes('\t') ? 4 : unit.length, eol: '\n' };
	return modify(text, ['dataset'], dataset, { formattingOptions });
}
