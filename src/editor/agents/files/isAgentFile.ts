import * as vscode from 'vscode';

/** True if a document can become an agent file: it's empty and in an agents folder by name. */
export function isNewAgentFile(document: vscode.TextDocument): boolean {
	if (!/\.ya?ml$/.test(document.uri.path) || document.lineCount > 5 || document.getText().trim() !== '') {
		return false;
	}
	const folders = vscode.workspace.getConfiguration('agentWorkbench', document.uri).get<string[]>('gateway.agentFolders', []);
	const parent = document.uri.path.split('/').slice(0, -1).join('/');
	return folders.some(folder => `${parent}/`.endsWith(`/${folder.replace(/^\.?\/+|(?<!\/)\/+$/g, '')}/`));
}

/** True if a document is an agent file in the workflow DSL, not some other YAML file. */
export function isAgentFile(document: vscode.TextDocument): boolean {
	if (!/\.ya?ml$/.test(document.uri.path)) {
		return false;
	}
	const text = document.getText();
	return /^app:/m.test(text) && (/^kind: *["']?app\b/m.test(text) || /^(?:workflow|model_config|agent_packages):/m.test(text));
}
