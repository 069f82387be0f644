import * as vscode from 'vscode';

/** Whether this is the oldest VS Code that the extension runs in: some faults of its own were mended in later ones. */
export function isOldestEditor(): boolean {
	return vscode.version.startsWith('1.106.');
}
