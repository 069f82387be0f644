import * as vscode from 'vscode';
import type { ConnectionEntry } from '../connectionEntries.ts';
import type { ConnectionSettings } from '../connectionSettings.ts';
import { getKindFacts } from '../kindFacts.ts';

/**
 * Returns the connection in a command's argument, which is a tree node or an ID. If there's no argument, lets the user choose. Returns
 * `undefined` if the user cancels or there is no such connection.
 */
export async function chooseEntry(
	settings: ConnectionSettings,
	argument: unknown,
	placeHolder: string,
): Promise<ConnectionEntry | undefined> {
	const id = getConnectionId(argument);
	if (id !== undefined) {
		return settings.listEntries().find(entry => entry.id === id);
	}
	const entries = settings.listEntries();
	if (entries.length === 0) {
		const add = vscode.l10n.t('Add connection');
		const choice = await vscode.window.showInformationMessage(vscode.l10n.t('The built-in gateway is the only connection.'), add);
		if (choice === add) {
			await vscode.commands.executeCommand('agentWorkbench.connection.add');
		}
		return undefined;
	}
	const kinds = getKindFacts();
	const items = entries.map(entry => ({ label: entry.name, description: `${kinds[entry.kind].label} · ${entry.baseUrl}`, entry }));
	return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.entry;
}

/** Returns the connection ID in a command's argument, if any. */
export function getConnectionId(argument: unknown): string | undefined {
	if (typeof argument === 'object' && argument !== null && 'connectionId' in argument && typeof argument.connectionId === 'string') {
		return argument.connectionId;
	}
	return typeof argument === 'string' ? argument : undefined;
}
