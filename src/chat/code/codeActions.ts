import * as vscode from 'vscode';
import { Problem } from '../../common/problems.ts';
import type { LastEditor } from '../lastEditor.ts';

/** Puts code where the cursor stands in the editor used last, in place of what is selected there. */
export async function insertCode(editors: LastEditor, text: string): Promise<void> {
	const { document, selection, viewColumn } = lastOf(editors);
	const editor = await vscode.window.showTextDocument(document, { viewColumn: viewColumn ?? vscode.ViewColumn.Active, selection });
	if (!(await editor.edit(edit => edit.replace(selection, text)))) {
		throw new Problem(
			'not-changed',
			vscode.l10n.t('{0} could not be changed: it may be read-only.', vscode.workspace.asRelativePath(document.uri)),
		);
	}
}

/** Opens code as a new, unsaved file. */
export async function newFileWithCode(text: string, language: string): Promise<void> {
	const known = await vscode.languages.getLanguages();
	const document = await vscode.workspace.openTextDocument({ content: text, ...(known.includes(language) && { language }) });
	await vscode.window.showTextDocument(document);
}

/**
 * Proposes code for the editor used last: for its selection, or, where nothing is selected, for the whole file. The change stands in the
 * editor's own refactoring preview as a diff, and nothing is changed until it is accepted there.
 */
export async function applyCode(editors: LastEditor, text: string): Promise<void> {
	const { document, selection } = lastOf(editors);
	const whole = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
	const range = selection.isEmpty ? whole : selection;
	const edit = new vscode.WorkspaceEdit();
	edit.replace(document.uri, range, text, {
		needsConfirmation: true,
		label: selection.isEmpty
			? vscode.l10n.t('Replace the file with the code of the reply')
			: vscode.l10n.t('Replace the selection with the code of the reply'),
	});
	// that nothing was changed can be what the user decided in the preview
	await vscode.workspace.applyEdit(edit, { isRefactoring: true });
}

function lastOf(editors: LastEditor): vscode.TextEditor {
	const editor = editors.get();
	if (!editor) {
		throw new Problem('no-editor', vscode.l10n.t('No file is open in an editor. Open one and put the cursor where the code belongs.'));
	}
	return editor;
}
