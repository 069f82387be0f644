import * as vscode from 'vscode';
import type { DifyWorkspace } from '#client/dify/management.ts';
import { oneLine } from '../../platform/wording.ts';

/** The workspace whose apps are managed: the only one, or asked for. Who backs out gets the one that is current. */
export async function chooseWorkspace(
	workspaces: readonly DifyWorkspace[],
	currentId: string | undefined,
): Promise<DifyWorkspace | undefined> {
	const current = workspaces.find(({ id }) => id === currentId) ?? workspaces.find(each => each.current) ?? workspaces[0];
	return workspaces.length < 2 ? current : ((await pickWorkspace(workspaces, current?.id)) ?? current);
}

/** Asks for a workspace; `undefined` when the user backs out. */
export async function pickWorkspace(
	workspaces: readonly DifyWorkspace[],
	currentId: string | undefined,
): Promise<DifyWorkspace | undefined> {
	const items = workspaces.map(workspace => ({
		label: oneLine(workspace.name),
		description: [workspace.role ?? '', workspace.id === currentId ? vscode.l10n.t('current') : ''].filter(part => part !== '').join(' · '),
		workspace,
	}));
	const choice = await vscode.window.showQuickPick(items, {
		placeHolder: vscode.l10n.t('Workspace whose apps to manage'),
		ignoreFocusOut: true,
	});
	return choice?.workspace;
}
