import * as vscode from 'vscode';

/** The editor that shows a document as text, if one is on the screen. */
function textEditorOf(document: vscode.TextDocument): vscode.TextEditor | undefined {
	return vscode.window.visibleTextEditors.find(editor => editor.document === document);
}

/** Brings a piece of a document into sight, where its text is on the screen, and puts the cursor there; the focus stays. */
export function showInText(document: vscode.TextDocument, range: vscode.Range): void {
	const editor = textEditorOf(document);
	if (editor) {
		editor.selection = new vscode.Selection(range.start, range.start);
		editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
	}
}

/** Goes to a piece of a document: in the editor that shows it, else in one beside `column`. */
export async function goToText(document: vscode.TextDocument, range: vscode.Range | undefined): Promise<void> {
	const shown = textEditorOf(document)?.viewColumn;
	const tab = vscode.window.tabGroups.all.find(({ tabs }) =>
		tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === document.uri.toString()),
	);
	await vscode.window.showTextDocument(document, {
		viewColumn: shown ?? tab?.viewColumn ?? vscode.ViewColumn.Beside,
		...(range ? { selection: new vscode.Range(range.start, range.start) } : {}),
	});
}

/** Undoes or redoes the last step of a document: the editor does that for the one that has the focus, so its text gets it for a moment. */
export async function undoInText(document: vscode.TextDocument, command: 'undo' | 'redo', back: () => void): Promise<void> {
	await goToText(document, undefined);
	await vscode.commands.executeCommand(command);
	back();
}
