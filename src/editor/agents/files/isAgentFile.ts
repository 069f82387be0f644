import path from 'node:path';
import * as vscode from 'vscode';

/** True if a document is an empty YAML file in a folder that is named like an agents folder. */
export function isNewAgentFile(document: vscode.TextDocument): boolean {
	if (!/\.ya?ml$/.test(document.uri.path) || document.lineCount > 5 || document.getText().trim() !== '') {
		return false;
	}
	const names: unknown = vscode.workspace.getConfiguration('agentWorkbench', document.uri).get('gateway.agentFolders');
	const parent = `${path.posix.dirname(document.uri.path)}/`;
	return Array.isArray(names) && names.some(name => typeof name === 'string' && parent.endsWith(path.posix.join('/', name, '/')));
}

/** True if a document is an agent file in the workflow DSL, not some other YAML file. */
export function isAgentFile(document: vscode.TextDocument): boolean {
	if (!/\.ya?ml$/.test(document.uri.path)) {
		return false;
	}
	const text = document.getText();
	return /^app:/m.test(text) && (/^kind: *["']?app\b/m.test(text) || /^(?:workflow|model_config|agent_packages):/m.test(text));
}
