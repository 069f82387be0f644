import * as vscode from 'vscode';
import { messageOf, Problem } from '#base/problems.ts';
import { locate } from '#runs/request/localFiles.ts';

/** Whether a name is that of a file, not of an agent. */
export function isFileName(name: string): boolean {
	return /\.ya?ml$/i.test(name);
}

/**
 * The document of an agent file by its path, from a workspace folder or absolute, as the editor has it, saved or not. Rejects for a file that is in no folder of
 * the workspace, links followed: a model may not have any file of the machine read out.
 */
export async function agentFileOf(reference: string): Promise<vscode.TextDocument> {
	const folders = vscode.workspace.workspaceFolders ?? [];
	if (!isFileName(reference)) {
		throw new Problem('wrong-input', vscode.l10n.t('“{0}” is no agent file: expected the path of a YAML file.', reference));
	}
	let failure: unknown = new Problem('no-folder', vscode.l10n.t('No folder is open, so there is no agent file.'));
	for (const { uri } of folders.filter(folder => folder.uri.scheme === 'file')) {
		try {
			const file = await locate(reference, { folder: uri.fsPath, root: uri.fsPath }, vscode.l10n.t);
			return await vscode.workspace.openTextDocument(vscode.Uri.file(file));
		} catch (error) {
			failure = error;
		}
	}
	throw new Problem('wrong-input', messageOf(failure));
}
