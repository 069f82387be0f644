import * as vscode from 'vscode';

/** True in the oldest supported VS Code, which has bugs that later versions fixed. */
export function isOldestEditor(): boolean {
	return vscode.version.startsWith('1.106.');
}
