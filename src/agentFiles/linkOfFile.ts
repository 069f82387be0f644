import * as vscode from 'vscode';
import { linkPathOf } from '../difySync/files/linkFile.ts';

/** Whether there is a file beside an agent file that says which app of Dify it is of. */
export async function isLinked(file: vscode.Uri): Promise<boolean> {
	if (file.scheme !== 'file') {
		return false;
	}
	try {
		await vscode.workspace.fs.stat(file.with({ path: linkPathOf(file.path) }));
		return true;
	} catch {
		return false;
	}
}
