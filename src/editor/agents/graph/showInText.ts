import * as vscode from 'vscode';

function findTextEditor(document: vscode.TextDocument): vscode.TextEditor | undefined {
	return vscode.window.visibleTextEditors.find(editor => editor.document === document);
}

/** Reveals a range and moves the cursor there if the document's text is visible; doesn't move the focus. */
export function showInText(document: vscode.TextDocument, range: vscode.Range): void {
	const editor = findTextEditor(document);
	if (editor) {
		editor.selection = new vscode.Selection(range.start, range.start);
		editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
	}
}

/** Opens a document at a range: in the editor that shows it, otherwise in a column next to the graph. */
export async function goToText(document: vscode.TextDocument, range: vscode.Range | undefined): Promise<void> {
	const shown = findTextEditor(document)?.viewColumn;
	const tab = vscode.window.tabGroups.all.find(({ tabs }) =>
		tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === document.uri.toString()),
	);
	await vscode.window.showTextDocument(document, {
		viewColumn: shown ?? tab?.viewColumn ?? vscode.ViewColumn.Beside,
		...(range ? { selection: new vscode.Range(range.start, range.start) } : {}),
	});
}

/** Undoes or redoes the last edit of a document. The editor does this only for the focused editor, so the text gets the focus for a moment. */
export async function undoInText(document: vscode.TextDocument, command: 'undo' | 'redo', back: () => void): Promise<void> {
	await goToText(document, undefined);
	await vscode.commands.executeCommand(command);
	back();
}
