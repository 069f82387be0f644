import * as vscode from 'vscode';
import { getConnectionId } from './chooseConnection.ts';
import type { ActionContext } from './connectionActions.ts';

/** Lets the user choose the connection that commands use by default in this workspace. */
export async function selectDefaultConnection({ registry }: ActionContext, argument: unknown): Promise<void> {
	const named = getConnectionId(argument);
	const current = registry.getDefault().id;
	const items = registry.list().map(({ id, name, baseUrl }) => ({
		label: name,
		description: [baseUrl ?? '', id === current ? vscode.l10n.t('default') : ''].filter(part => part !== '').join(' · '),
		id,
	}));
	const add = { label: vscode.l10n.t('$(add) Add connection…'), description: '', id: undefined };
	const placeHolder = vscode.l10n.t('Select the default connection for runs and chats in this workspace');
	const choice = named === undefined ? await vscode.window.showQuickPick([...items, add], { placeHolder }) : { id: named };
	if (choice && choice.id === undefined) {
		const id = await vscode.commands.executeCommand<string | undefined>('agentWorkbench.connection.add');
		if (id !== undefined) {
			await registry.setDefault(id);
		}
	} else if (choice?.id !== undefined && registry.get(choice.id)) {
		await registry.setDefault(choice.id);
	}
}
