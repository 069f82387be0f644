import * as vscode from 'vscode';

/** Registers what fills panels of a type when the editor brings them back, with the state that their page has saved. */
export function restorePanels<State>(
	type: string,
	restore: (panel: vscode.WebviewPanel, state: State) => Promise<unknown>,
): vscode.Disposable {
	return vscode.window.registerWebviewPanelSerializer(type, {
		deserializeWebviewPanel: restore as vscode.WebviewPanelSerializer['deserializeWebviewPanel'],
	});
}
