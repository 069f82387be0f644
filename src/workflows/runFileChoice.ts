import path from 'node:path';
import * as vscode from 'vscode';
import { isRunFilePath } from './names.ts';

interface FileItem extends vscode.QuickPickItem {
	readonly uri?: vscode.Uri;
}

/**
 * The run file that a command means: its argument (a URI, or a tree node that has one), else the run file in the active editor, else
 * one that the user picks. `undefined` where the user picks none.
 */
export async function chooseRunFile(argument: unknown): Promise<vscode.TextDocument | undefined> {
	const given = uriOf(argument);
	if (given) {
		return vscode.workspace.openTextDocument(given);
	}
	const active = vscode.window.activeTextEditor?.document;
	if (active && isRunFilePath(active.uri.path)) {
		return active;
	}
	const uri = await pick(active?.languageId === 'json' ? active : undefined);
	return uri && vscode.workspace.openTextDocument(uri);
}

/** URI that a menu, a tree node or a caller hands to a command. */
export function uriOf(argument: unknown): vscode.Uri | undefined {
	if (argument instanceof vscode.Uri) {
		return argument;
	}
	const uri = typeof argument === 'object' && argument !== null && 'uri' in argument ? argument.uri : undefined;
	return uri instanceof vscode.Uri ? uri : undefined;
}

async function pick(active: vscode.TextDocument | undefined): Promise<vscode.Uri | undefined> {
	const browse: FileItem = { label: vscode.l10n.t('Browse…'), iconPath: new vscode.ThemeIcon('folder-opened'), alwaysShow: true };
	const items = async (): Promise<FileItem[]> => {
		const found = await vscode.workspace.findFiles('**/*.run.json', '**/{node_modules,.git}/**', 2000);
		const uris = [...(active ? [active.uri] : []), ...found.sort((a, b) => a.path.localeCompare(b.path))];
		return [...uris.map(fileItem), ...(uris.length ? [{ label: '', kind: vscode.QuickPickItemKind.Separator }] : []), browse];
	};
	const picked = await vscode.window.showQuickPick(items(), {
		title: vscode.l10n.t('Run workflow from file'),
		placeHolder: vscode.l10n.t('Run file to send'),
		matchOnDescription: true,
	});
	if (picked !== browse) {
		return picked?.uri;
	}
	const chosen = await vscode.window.showOpenDialog({ filters: { JSON: ['json'] }, openLabel: vscode.l10n.t('Run') });
	return chosen?.[0];
}

function fileItem(uri: vscode.Uri): FileItem {
	const folder = path.posix.dirname(vscode.workspace.asRelativePath(uri));
	return {
		label: path.posix.basename(uri.path),
		iconPath: new vscode.ThemeIcon('json'),
		uri,
		...(folder === '.' ? {} : { description: folder }),
	};
}
