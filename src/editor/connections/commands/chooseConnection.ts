import * as vscode from 'vscode';
import type { ConnectionEntry } from '../connectionEntries.ts';
import type { ConnectionSettings } from '../connectionSettings.ts';
import { kindFacts } from '../kindFacts.ts';

/**
 * The connection that a command is about, which is called with a node of the tree, an ID, or nothing from the palette; asks where none is named.
 * `undefined` when the user backs out or there is none.
 */
export async function chooseEntry(
	settings: ConnectionSettings,
	argument: unknown,
	placeHolder: string,
): Promise<ConnectionEntry | undefined> {
	const id = idOf(argument);
	if (id !== undefined) {
		return settings.list().find(entry => entry.id === id);
	}
	const entries = settings.list();
	if (entries.length === 0) {
		const add = vscode.l10n.t('Add connection');
		const choice = await vscode.window.showInformationMessage(vscode.l10n.t('There is no connection besides the built-in gateway.'), add);
		if (choice === add) {
			await vscode.commands.executeCommand('agentWorkbench.connection.add');
		}
		return undefined;
	}
	const kinds = kindFacts();
	const items = entries.map(entry => ({ label: entry.name, description: `${kinds[entry.kind].label} · ${entry.baseUrl}`, entry }));
	return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.entry;
}

/** ID that a command was called with, if it was. */
export function idOf(argument: unknown): string | undefined {
	if (typeof argument === 'object' && argument !== null && 'connectionId' in argument && typeof argument.connectionId === 'string') {
		return argument.connectionId;
	}
	return typeof argument === 'string' ? argument : undefined;
}
