import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';

/** Maximum size in bytes of a file that is read without being asked for: VS Code waits while it is parsed. */
const largest = 16 * 1024 * 1024;

/**
 * Reads a text file of the workspace, such as a run file or suite.
 * @throws {Problem} `too-large` if it's too large, or a link to a device that never ends
 */
export async function readSmallFile(uri: vscode.Uri): Promise<string> {
	const { type, size } = await vscode.workspace.fs.stat(uri);
	if ((type & vscode.FileType.File) === 0 || size > largest) {
		const name = path.posix.basename(uri.path);
		throw new Problem('too-large', vscode.l10n.t("'{0}' is too large. The limit is {1} MB.", name, largest / 1048576));
	}
	return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
