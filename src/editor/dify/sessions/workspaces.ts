import * as vscode from 'vscode';
import type { DifyWorkspace } from '#client/dify/management.ts';
import { toOneLine } from '../../platform/wording.ts';

/** Returns the account's only workspace. If there are several, asks for one, and returns the current workspace if the user cancels. */
export async function chooseWorkspace(
	workspaces: readonly DifyWorkspace[],
	currentId: string | undefined,
): Promise<DifyWorkspace | undefined> {
	const current = workspaces.find(({ id }) => id === currentId) ?? workspaces.find(each => each.current) ?? workspaces[0];
	return workspaces.length < 2 ? current : ((await pickWorkspace(workspaces, current?.id)) ?? current);
}

/** Asks for a workspace. Resolves to `undefined` if the user cancels. */
export async function pickWorkspace(
	workspaces: readonly DifyWorkspace[],
	currentId: string | undefined,
): Promise<DifyWorkspace | undefined> {
	const items = workspaces.map(workspace => ({
		label: toOneLine(workspace.name),
		description: [workspace.role ?? '', workspace.id === currentId ? vscode.l10n.t('current') : ''].filter(part => part !== '').join(' · '),
		workspace,
	}));
	const choice = await vscode.window.showQuickPick(items, {
		placeHolder: vscode.l10n.t('Select a workspace'),
		ignoreFocusOut: true,
	});
	return choice?.workspace;
}
