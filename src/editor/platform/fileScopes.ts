import path from 'node:path';
import * as vscode from 'vscode';
import { type FileScope, OutsideScope, resolveInside, resolveInsideToWrite } from '#base/files/fileScope.ts';
import { Problem } from '#base/problems.ts';

/**
 * Returns the folder that the local files of a workspace file must be in: the workspace folder, or the file's folder if it isn't in a
 * workspace folder.
 */
export function getFileScope(uri: vscode.Uri): FileScope {
	const workspace =
		vscode.workspace.getWorkspaceFolder(uri) ?? (uri.scheme === 'file' ? undefined : vscode.workspace.workspaceFolders?.[0]);
	if (uri.scheme === 'file') {
		const folder = path.dirname(uri.fsPath);
		return { folder, root: workspace?.uri.fsPath ?? folder };
	}
	if (!workspace) {
		throw new Problem('no-folder', vscode.l10n.t('Save the file or open a folder first, because paths of local files are relative to it.'));
	}
	return { folder: workspace.uri.fsPath, root: workspace.uri.fsPath };
}

/**
 * True if a file exists and no link in its path leads outside its workspace folder. Must be checked before content of a workspace is sent
 * that the user hasn't chosen file by file: a link in a repository could send any file of the machine.
 */
export function isInsideWorkspace(uri: vscode.Uri): boolean {
	try {
		return uri.scheme !== 'file' || resolveInside(uri.fsPath, getFileScope(uri)) !== '';
	} catch {
		return false;
	}
}

/**
 * Returns the real path for writing a file that the user hasn't chosen in a dialog. The file may not exist yet.
 * @throws {Problem} `outside-workspace` if a link in its path leads out of the workspace folder
 */
export function resolveFileToWrite(uri: vscode.Uri): string {
	if (uri.scheme !== 'file') {
		return uri.fsPath;
	}
	const scope = getFileScope(uri);
	try {
		return resolveInsideToWrite(uri.fsPath, scope);
	} catch (error) {
		if (error instanceof OutsideScope) {
			const name = vscode.workspace.asRelativePath(uri);
			throw new Problem(
				'outside-workspace',
				vscode.l10n.t("Couldn't write '{0}': a link in its path leads outside '{1}'.", name, scope.root),
			);
		}
		throw error;
	}
}
