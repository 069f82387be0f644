import path from 'node:path';
import * as vscode from 'vscode';

/** Returns a file in a folder that doesn't exist yet: `NAME.ENDING`, or with a number after the name. */
export async function findFreeFile(folder: vscode.Uri, agent: string, ending: string): Promise<vscode.Uri> {
	const name = path.posix.basename(agent).replace(/[^\w.-]+/g, '-');
	for (let n = 1; ; n++) {
		const uri = vscode.Uri.joinPath(folder, `${name}${n === 1 ? '' : `-${n}`}.${ending}`);
		try {
			await vscode.workspace.fs.stat(uri);
		} catch {
			return uri;
		}
	}
}
