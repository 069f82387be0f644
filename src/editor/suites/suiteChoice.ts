import path from 'node:path';
import * as vscode from 'vscode';
import { isSuitePath } from '../platform/names.ts';
import { getArgumentUri } from '../runs/files/runFileChoice.ts';
import type { SuiteFiles } from './suiteFiles.ts';

/**
 * Returns the suite that a command applies to. Its argument can be a URI or an item of the Test Explorer. The default is the suite in the
 * active editor, or one that the user picks. Returns `undefined` if the user cancels.
 */
export async function chooseSuite(argument: unknown, files: SuiteFiles, title: string): Promise<vscode.Uri | undefined> {
	const given = getArgumentUri(argument) ?? vscode.window.activeTextEditor?.document.uri;
	if (given && isSuitePath(given.path)) {
		return given;
	}
	const items = files.findSuites().then(found => found.map(createSuitePickItem));
	return (await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Select a suite'), matchOnDescription: true }))?.uri;
}

/** Returns the quick pick item of a suite. */
export function createSuitePickItem(uri: vscode.Uri): vscode.QuickPickItem & { readonly uri: vscode.Uri } {
	return {
		label: path.posix.basename(uri.path, '.suite.json'),
		description: path.posix.dirname(vscode.workspace.asRelativePath(uri)),
		iconPath: new vscode.ThemeIcon('beaker'),
		uri,
	};
}
