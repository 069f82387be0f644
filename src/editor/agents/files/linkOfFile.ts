import * as vscode from 'vscode';
import { findLinkPath } from '#dify/files/linkFile.ts';

/** Whether there is a file next to an agent file that says which app of Dify it is of. */
export async function isLinked(file: vscode.Uri): Promise<boolean> {
	return file.scheme === 'file' && isFile(await sidecarOf(file));
}

/** The sidecar file of an agent file. */
export async function sidecarOf(file: vscode.Uri): Promise<vscode.Uri> {
	return file.with({ path: await findLinkPath(file.path, path => isFile(file.with({ path }))) });
}

/** Whether there is a file at a URI. */
export async function isFile(uri: vscode.Uri): Promise<boolean> {
	try {
		return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
	} catch {
		return false;
	}
}
