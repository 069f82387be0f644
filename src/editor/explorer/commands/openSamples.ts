import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { newSamplesKey } from '../../platform/names.ts';

const folderName = 'agent-workbench-samples';

/** The samples' run file to start with. */
const firstRunFile = 'runs/annual-report.run.json';

/**
 * Copies the sample workspace into a new folder inside a folder that the user chooses, and opens it in this window or a new one. Doesn't
 * change existing files.
 * @param extensionPath the extension's folder, which contains the samples
 * @param memory remembers the new folder, so that its window starts with {@link showSamples}
 */
export async function openSamples(extensionPath: string, memory: vscode.Memento): Promise<void> {
	const [parent] =
		(await vscode.window.showOpenDialog({
			// the default would be the folder of the active file
			defaultUri: vscode.Uri.file(os.homedir()),
			title: vscode.l10n.t("Select where to create the folder '{0}'", folderName),
			canSelectFolders: true,
			canSelectFiles: false,
			openLabel: vscode.l10n.t('Copy samples here'),
		})) ?? [];
	if (!parent) {
		return;
	}
	const folder = await findFreeFolder(parent);
	await vscode.workspace.fs.copy(vscode.Uri.file(path.join(extensionPath, 'samples')), folder, { overwrite: false });
	const inNewWindow = await askForNewWindow(folder);
	if (inNewWindow !== undefined) {
		await memory.update(newSamplesKey, folder.toString());
		await vscode.commands.executeCommand('vscode.openFolder', folder, {
			forceNewWindow: inNewWindow,
			forceReuseWindow: !inNewWindow,
		});
	}
}

/** Shows the agents and the first run file in a window that was just opened by {@link openSamples}. */
export async function showSamples(memory: vscode.Memento): Promise<void> {
	await memory.update(newSamplesKey, undefined);
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	await vscode.commands.executeCommand('agentWorkbench.agents.focus');
	if (folder) {
		await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, firstRunFile), { preview: false });
	}
}

/**
 * Asks whether to open the folder in this window or a new one, unless this window has no folder yet. Returns `undefined` if the folder
 * shouldn't be opened.
 */
async function askForNewWindow(folder: vscode.Uri): Promise<boolean | undefined> {
	if (!vscode.workspace.workspaceFolders?.length) {
		return false;
	}
	const here = vscode.l10n.t('Open');
	const there = vscode.l10n.t('Open in new window');
	const question = vscode.l10n.t("Copied the samples to '{0}'. Open the folder?", folder.fsPath);
	const choice = await vscode.window.showInformationMessage(question, { modal: true }, here, there);
	return choice === undefined ? undefined : choice === there;
}

/** Returns a folder that doesn't exist, so that copying never overwrites samples that the user has changed. */
async function findFreeFolder(parent: vscode.Uri): Promise<vscode.Uri> {
	const taken = new Set((await vscode.workspace.fs.readDirectory(parent)).map(([name]) => name));
	let name = folderName;
	for (let n = 2; taken.has(name); n++) {
		name = `${folderName}-${n}`;
	}
	return vscode.Uri.joinPath(parent, name);
}
