import * as vscode from 'vscode';
import { findLinkPath } from '#dify/files/linkFile.ts';

/** True if a sidecar file links an agent file to an app in Dify. */
export async function isLinkedToApp(file: vscode.Uri): Promise<boolean> {
	return file.scheme === 'file' && isExistingFile(await findSidecar(file));
}

/** Returns the URI of an agent file's sidecar file. */
export async function findSidecar(file: vscode.Uri): Promise<vscode.Uri> {
	return file.with({ path: await findLinkPath(file.path, path => isExistingFile(file.with({ path }))) });
}

/** True if there is a file at the URI. */
export async function isExistingFile(uri: vscode.Uri): Promise<boolean> {
	try {
		return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
	} catch {
		return false;
	}
}
