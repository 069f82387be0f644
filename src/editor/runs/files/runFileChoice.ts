import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { isRunFilePath } from '../../platform/names.ts';
import { findRunFiles } from './runFileSearch.ts';

interface FileItem extends vscode.QuickPickItem {
	readonly uri?: vscode.Uri;
	/** Command to execute instead of opening a file. */
	readonly command?: CommandId;
}

/**
 * Returns the run file that a command's argument names as a URI or tree node. The default is the run file in the active editor, or one that
 * the user picks. Returns `undefined` if the user cancels.
 */
export async function chooseRunFile(argument: unknown): Promise<vscode.TextDocument | undefined> {
	const given = getArgumentUri(argument);
	if (given) {
		return vscode.workspace.openTextDocument(given);
	}
	const active = vscode.window.activeTextEditor?.document;
	if (active && isRunFilePath(active.uri.path)) {
		return active;
	}
	const uri = await pickRunFile(active?.languageId === 'json' ? active : undefined);
	return uri && vscode.workspace.openTextDocument(uri);
}

/** Returns the URI of a command's argument, which can be a URI or a tree node. */
export function getArgumentUri(argument: unknown): vscode.Uri | undefined {
	if (argument instanceof vscode.Uri) {
		return argument;
	}
	const uri = typeof argument === 'object' && argument !== null && 'uri' in argument ? argument.uri : undefined;
	return uri instanceof vscode.Uri ? uri : undefined;
}

async function pickRunFile(active: vscode.TextDocument | undefined): Promise<vscode.Uri | undefined> {
	const browse: FileItem = { label: vscode.l10n.t('Browse…'), iconPath: new vscode.ThemeIcon('folder-opened'), alwaysShow: true };
	const form: FileItem = {
		label: vscode.l10n.t('Fill in a form…'),
		description: vscode.l10n.t({ message: 'for an agent of a connection', comment: ["description of 'New run file…'"] }),
		iconPath: new vscode.ThemeIcon('list-flat'),
		command: 'agentWorkbench.agent.runForm',
		alwaysShow: true,
	};
	const loadRunFileItems = async (): Promise<FileItem[]> => {
		const uris = [...(active ? [active.uri] : []), ...(await findRunFiles())];
		const line = { label: '', kind: vscode.QuickPickItemKind.Separator };
		return uris.length === 0 ? [...createStarterItems(), line, form, browse] : [...uris.map(createFileItem), line, form, browse];
	};
	const picked = await vscode.window.showQuickPick(loadRunFileItems(), {
		title: vscode.l10n.t('Run agent from file'),
		placeHolder: vscode.l10n.t('Select a run file'),
		matchOnDescription: true,
	});
	if (picked?.command) {
		await vscode.commands.executeCommand(picked.command);
		return undefined;
	}
	if (picked !== browse) {
		return picked?.uri;
	}
	const chosen = await vscode.window.showOpenDialog({
		filters: { JSON: ['json'] },
		openLabel: vscode.l10n.t({ message: 'Run', comment: ['verb: button that starts a run'] }),
	});
	return chosen?.[0];
}

function createStarterItems(): FileItem[] {
	return [
		{
			label: vscode.l10n.t('Open sample workspace…'),
			description: vscode.l10n.t('contains run files to try'),
			iconPath: new vscode.ThemeIcon('library'),
			command: 'agentWorkbench.samples.open',
		},
		{
			label: vscode.l10n.t('New run file…'),
			description: vscode.l10n.t({ message: 'for an agent of a connection', comment: ["description of 'New run file…'"] }),
			iconPath: new vscode.ThemeIcon('new-file'),
			command: 'agentWorkbench.runFile.create',
		},
	];
}

function createFileItem(uri: vscode.Uri): FileItem {
	const folder = path.posix.dirname(vscode.workspace.asRelativePath(uri));
	return {
		label: path.posix.basename(uri.path),
		iconPath: new vscode.ThemeIcon('json'),
		uri,
		...(folder === '.' ? {} : { description: folder }),
	};
}
