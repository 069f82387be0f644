import path from 'node:path';
import * as vscode from 'vscode';
import { readAgentFolderNames } from '../../connections/gateway/agentFolders.ts';

/** True if a document is an empty YAML file in a folder that is named like an agents folder. */
export function isNewAgentFile(document: vscode.TextDocument): boolean {
	if (!/\.ya?ml$/.test(document.uri.path) || document.lineCount > 5 || document.getText().trim() !== '') {
		return false;
	}
	const folder = vscode.workspace.getWorkspaceFolder(document.uri);
	const parent = path.posix.dirname(document.uri.path);
	return folder !== undefined && readAgentFolderNames(folder.uri).some(name => vscode.Uri.joinPath(folder.uri, name, '.').path === parent);
}

/** True if a document is an agent file in the workflow DSL, not some other YAML file. */
export function isAgentFile(document: vscode.TextDocument): boolean {
	if (!/\.ya?ml$/.test(document.uri.path)) {
		return false;
	}
	const text = document.getText();
	return /^app:/m.test(text) && (/^kind: *["']?app\b/m.test(text) || /^(?:workflow|model_config|agent_packages):/m.test(text));
}
