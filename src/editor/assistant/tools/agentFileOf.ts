import * as vscode from 'vscode';
import { getErrorMessage, Problem } from '#base/problems.ts';
import { resolveLocalFile } from '#runs/request/localFiles.ts';

/** True if the name is that of an agent file, not of an agent. */
export function isFileName(name: string): boolean {
	return /\.ya?ml$/i.test(name);
}

/**
 * Opens an agent file by its path, absolute or relative to a workspace folder. Rejects if the file, after following links, isn't in a
 * workspace folder, because models must not read other files of the machine.
 */
export async function openAgentFile(reference: string): Promise<vscode.TextDocument> {
	const folders = vscode.workspace.workspaceFolders ?? [];
	if (!isFileName(reference)) {
		throw new Problem('wrong-input', vscode.l10n.t("'{0}' isn't an agent file. Expected the path of a YAML file.", reference));
	}
	let failure: unknown = new Problem('no-folder', vscode.l10n.t('No folder is open. Open a folder with agent files.'));
	for (const { uri } of folders.filter(folder => folder.uri.scheme === 'file')) {
		try {
			const file = await resolveLocalFile(reference, { folder: uri.fsPath, root: uri.fsPath }, vscode.l10n.t);
			return await vscode.workspace.openTextDocument(vscode.Uri.file(file));
		} catch (error) {
			failure = error;
		}
	}
	throw new Problem('wrong-input', getErrorMessage(failure));
}
