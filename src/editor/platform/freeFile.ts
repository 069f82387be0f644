import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';

/** Returns a file in a folder that doesn't exist yet: `NAME.ENDING`, or with a number after the name. */
export async function findFreeFile(folder: vscode.Uri, agent: string, ending: string): Promise<vscode.Uri> {
	const name = path.posix.basename(agent).replace(/[^\w.-]+/g, '-');
	for (let n = 1; ; n++) {
		const uri = vscode.Uri.joinPath(folder, `${name}${n === 1 ? '' : `-${n}`}.${ending}`);
		if (!(await isExistingPath(uri))) {
			return uri;
		}
	}
}

/**
 * Returns a file chosen in a save dialog, with a two-part ending such as `run.json`, which these dialogs don't complete.
 * @throws {Problem} `taken` if the completed name exists, because the dialog only asked about the entered one
 */
export async function completeEnding(uri: vscode.Uri, ending: string): Promise<vscode.Uri> {
	if (uri.path.endsWith(`.${ending}`)) {
		return uri;
	}
	const completed = uri.with({ path: `${uri.path.replace(/\.json$/, '')}.${ending}` });
	if (await isExistingPath(completed)) {
		throw new Problem('taken', vscode.l10n.t("'{0}' already exists. Choose another name.", path.posix.basename(completed.path)));
	}
	return completed;
}

/** True if a file or folder exists. */
export async function isExistingPath(uri: vscode.Uri): Promise<boolean> {
	try {
		await vscode.workspace.fs.stat(uri);
		return true;
	} catch {
		return false;
	}
}
