import * as vscode from 'vscode';
import type { ConnectionEntry } from '../connections/connectionEntries.ts';
import type { ConnectionSettings } from '../connections/connectionSettings.ts';
import { escapeLinks } from '../platform/wording.ts';
import type { AppOfDeployment } from './difyTypes.ts';

/**
 * Returns the Dify connection that a command is called for. Its argument can be a node or an ID. The default is the only connection, or one
 * that the user selects. Returns `undefined` if there is none or the user cancels.
 */
export async function chooseDifyEntry(
	settings: ConnectionSettings,
	argument: unknown,
	placeHolder: string,
	fits: (entry: ConnectionEntry) => boolean = () => true,
): Promise<ConnectionEntry | undefined> {
	const id = readConnectionId(argument);
	const entries = settings.listEntries().filter(entry => entry.kind === 'dify' && entry.deployment === undefined);
	if (id !== undefined) {
		return entries.find(entry => entry.id === id);
	}
	const fitting = entries.filter(fits);
	if (fitting.length === 0) {
		const add = vscode.l10n.t('Add connection');
		const none =
			entries.length === 0 ? vscode.l10n.t('No Dify connection yet.') : vscode.l10n.t("You aren't signed in to any Dify connection.");
		const offers = entries.length === 0 ? [add] : [];
		if ((await vscode.window.showInformationMessage(escapeLinks(none), ...offers)) === add) {
			await vscode.commands.executeCommand('agentWorkbench.connection.add');
		}
		return undefined;
	}
	if (fitting.length === 1) {
		return fitting[0];
	}
	const items = fitting.map(entry => ({ label: entry.name, description: entry.baseUrl, entry }));
	return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.entry;
}

/** Returns the connection that has the key of an app, if there is one. */
export function findEntryWithKey(settings: ConnectionSettings, { connectionId, app }: AppOfDeployment): ConnectionEntry | undefined {
	return settings.listEntries().find(entry => entry.deployment === connectionId && entry.app === app.id);
}

function readConnectionId(argument: unknown): string | undefined {
	if (typeof argument === 'object' && argument !== null && 'connectionId' in argument && typeof argument.connectionId === 'string') {
		return argument.connectionId;
	}
	return typeof argument === 'string' ? argument : undefined;
}
