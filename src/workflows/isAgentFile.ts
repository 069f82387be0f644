import type * as vscode from 'vscode';

/** Whether a text is an agent file in the workflow DSL: many YAML files are none. */
export function isAgentFile(document: vscode.TextDocument): boolean {
	if (!/\.ya?ml$/.test(document.uri.path)) {
		return false;
	}
	const text = document.getText();
	return /^app:/m.test(text) && (/^kind: *["']?app\b/m.test(text) || /^workflow:/m.test(text));
}
