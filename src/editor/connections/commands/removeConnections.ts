import * as vscode from 'vscode';
import type { ConnectionEntry } from '../connectionEntries.ts';
import { chooseEntry, getConnectionId } from './chooseConnection.ts';
import type { ActionContext } from './connectionActions.ts';

/** Removes a connection, or all that are selected in the tree, with their keys and sign-ins. Deletes nothing from the services. */
export async function removeConnections({ settings, keys }: ActionContext, argument: unknown, selected: unknown): Promise<void> {
	const ids = Array.isArray(selected) && selected.length > 0 ? selected.map(getConnectionId) : [getConnectionId(argument)];
	const entries = settings.listEntries().filter(entry => ids.includes(entry.id));
	if (entries.length === 0) {
		const named = await chooseEntry(settings, getConnectionId(argument), vscode.l10n.t('Select a connection to remove'));
		entries.push(...(named ? [named] : []));
	}
	const [first] = entries;
	if (!first) {
		return;
	}
	const chosen = entries.length;
	// also remove apps that have their own keys, because the tree shows them under the connection that manages them
	entries.push(...settings.listEntries().filter(each => !entries.includes(each) && entries.some(({ id }) => id === each.deployment)));
	const apps = entries.length - chosen;
	const question =
		entries.length === 1
			? vscode.l10n.t("Remove the connection '{0}' and its key?", first.name)
			: chosen === 1
				? apps === 1
					? vscode.l10n.t(
							"Remove the connection '{0}' and its sign-in? The connection of its app and its key will also be removed.",
							first.name,
						)
					: vscode.l10n.t(
							"Remove the connection '{0}' and its sign-in? The connections of its {1} apps and their keys will also be removed.",
							first.name,
							apps,
						)
				: vscode.l10n.t('Remove {0} connections and their keys?', entries.length);
	const remove = vscode.l10n.t('Remove');
	const detail = vscode.l10n.t("Runs and conversations won't be deleted from the service.");
	if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) {
		return;
	}
	for (const { id } of entries.filter(({ kind, deployment }) => kind === 'dify' && deployment === undefined)) {
		await vscode.commands.executeCommand('agentWorkbench.dify.signOut', id);
	}
	await settings.removeEntries(entries.map(entry => entry.id));
	for (const entry of entries) {
		await keys.removeKeys(entry.id);
	}
}

/** Removes the keys of a connection after the user confirms. */
export async function removeKey({ keys }: ActionContext, entry: ConnectionEntry): Promise<void> {
	const remove = vscode.l10n.t('Remove key');
	const question = vscode.l10n.t("Remove the key for '{0}'?", entry.name);
	const detail = vscode.l10n.t("The key will be deleted from the system keyring. You'll be asked for it the next time it's needed.");
	if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) === remove) {
		await keys.removeKeys(entry.id);
	}
}
