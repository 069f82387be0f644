import * as vscode from 'vscode';

/** Registers a callback that fills panels of a type when the editor restores them. `state` is the state that their page saved. */
export function registerPanelRestorer<State>(
	type: string,
	restore: (panel: vscode.WebviewPanel, state: State) => Promise<unknown>,
): vscode.Disposable {
	return vscode.window.registerWebviewPanelSerializer(type, {
		deserializeWebviewPanel: restore as vscode.WebviewPanelSerializer['deserializeWebviewPanel'],
	});
}
