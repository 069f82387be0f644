import * as vscode from 'vscode';

function findTextEditor(document: vscode.TextDocument): vscode.TextEditor | undefined {
	return vscode.window.visibleTextEditors.find(editor => editor.document === document);
}

/** Moves the cursor to a range and reveals it if the document's text is visible. Doesn't move the focus. */
export function revealRangeInText(document: vscode.TextDocument, range: vscode.Range): void {
	const editor = findTextEditor(document);
	if (editor) {
		editor.selection = new vscode.Selection(range.start, range.start);
		editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
	}
}

/** Opens a document at a range, in the editor that already shows it or in a column next to the graph. */
export async function openTextAtRange(document: vscode.TextDocument, range: vscode.Range | undefined): Promise<void> {
	const shown = findTextEditor(document)?.viewColumn;
	const tab = vscode.window.tabGroups.all.find(({ tabs }) =>
		tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === document.uri.toString()),
	);
	await vscode.window.showTextDocument(document, {
		viewColumn: shown ?? tab?.viewColumn ?? vscode.ViewColumn.Beside,
		...(range ? { selection: new vscode.Range(range.start, range.start) } : {}),
	});
}

/**
 * Undoes or redoes the last edit of a document. Focuses its text editor for a moment, because VS Code applies undo to the focused editor
 * only.
 */
export async function undoEditInText(document: vscode.TextDocument, command: 'undo' | 'redo', back: () => void): Promise<void> {
	await openTextAtRange(document, undefined);
	await vscode.commands.executeCommand(command);
	back();
}
