import * as vscode from 'vscode';
import type { ConnectionEntry } from '../connectionEntries.ts';
import { chooseEntry, idOf } from './chooseConnection.ts';
import type { ActionContext } from './connectionActions.ts';

/** Removes one connection, or all that are selected in the tree, with their keys and sign-ins. Nothing is deleted at the service. */
export async function removeConnections({ settings, keys }: ActionContext, argument: unknown, selected: unknown): Promise<void> {
	const ids = Array.isArray(selected) && selected.length > 0 ? selected.map(idOf) : [idOf(argument)];
	const entries = settings.list().filter(entry => ids.includes(entry.id));
	if (entries.length === 0) {
		const named = await chooseEntry(settings, idOf(argument), vscode.l10n.t('Connection to remove'));
		entries.push(...(named ? [named] : []));
	}
	const [first] = entries;
	if (!first) {
		return;
	}
	const chosen = entries.length;
	// apps that have a key of their own are below the connection whose workspace has them
	entries.push(...settings.list().filter(each => !entries.includes(each) && entries.some(({ id }) => id === each.deployment)));
	const apps = entries.length - chosen;
	const question =
		entries.length === 1
			? vscode.l10n.t('Remove the connection “{0}” and its key?', first.name)
			: chosen === 1
				? vscode.l10n.t('Remove the connection “{0}”, its sign-in, and those of its apps ({1}) with their keys?', first.name, apps)
				: vscode.l10n.t('Remove {0} connections and their keys?', entries.length);
	const remove = vscode.l10n.t('Remove');
	const detail = vscode.l10n.t('Runs and conversations stay at the service.');
	if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) {
		return;
	}
	for (const { id } of entries.filter(({ kind, deployment }) => kind === 'dify' && deployment === undefined)) {
		await vscode.commands.executeCommand('agentWorkbench.dify.signOut', id);
	}
	await settings.remove(entries.map(entry => entry.id));
	for (const entry of entries) {
		await keys.forget(entry.id);
	}
}

/** Removes the keys of a connection from the keyring, once the user has said so. */
export async function removeKey({ keys }: ActionContext, entry: ConnectionEntry): Promise<void> {
	const remove = vscode.l10n.t('Remove Key');
	const question = vscode.l10n.t('Remove the key of “{0}”?', entry.name);
	const detail = vscode.l10n.t('It is deleted from the system’s keyring on this machine, and asked for at the next use.');
	if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) === remove) {
		await keys.forget(entry.id);
	}
}
