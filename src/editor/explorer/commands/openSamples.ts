import path from 'node:path';
import * as vscode from 'vscode';

const folderName = 'agent-workbench-samples';

/**
 * Copies the sample workspace into a new folder, inside one that the user chooses, and opens it: in this window, unless the user wants a new one. What is
 * there already is left alone.
 * @param extensionPath folder of the extension, which has the samples
 */
export async function openSamples(extensionPath: string): Promise<void> {
	const [parent] =
		(await vscode.window.showOpenDialog({
			title: vscode.l10n.t('Where to put the folder “{0}”', folderName),
			canSelectFolders: true,
			canSelectFiles: false,
			openLabel: vscode.l10n.t('Copy Samples Here'),
		})) ?? [];
	if (!parent) {
		return;
	}
	const folder = await findFreeFolder(parent);
	await vscode.workspace.fs.copy(vscode.Uri.file(path.join(extensionPath, 'samples')), folder, { overwrite: false });
	const inNewWindow = await askForNewWindow(folder);
	if (inNewWindow !== undefined) {
		await vscode.commands.executeCommand('vscode.openFolder', folder, {
			forceNewWindow: inNewWindow,
			forceReuseWindow: !inNewWindow,
			filesToOpen: [vscode.Uri.joinPath(folder, 'README.md')],
		});
	}
}

/** Whether the folder is to be opened in a window of its own: a window that has none is used. `undefined` where it is not to be opened. */
async function askForNewWindow(folder: vscode.Uri): Promise<boolean | undefined> {
	if (!vscode.workspace.workspaceFolders?.length) {
		return false;
	}
	const here = vscode.l10n.t('Open');
	const there = vscode.l10n.t('Open in New Window');
	const question = vscode.l10n.t('The samples are in “{0}”. Open that folder?', folder.fsPath);
	const choice = await vscode.window.showInformationMessage(question, { modal: true }, here, there);
	return choice === undefined ? undefined : choice === there;
}

/** A name that is not taken: the samples are never written over what a user has made of them. */
async function findFreeFolder(parent: vscode.Uri): Promise<vscode.Uri> {
	const taken = new Set((await vscode.workspace.fs.readDirectory(parent)).map(([name]) => name));
	let name = folderName;
	for (let n = 2; taken.has(name); n++) {
		name = `${folderName}-${n}`;
	}
	return vscode.Uri.joinPath(parent, name);
}
