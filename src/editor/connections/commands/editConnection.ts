import * as vscode from 'vscode';
import { hasAgents, serviceKinds } from '#contract/serviceKinds.ts';
import { getUrlOrigin } from '../baseUrl.ts';
import { type ConnectionEntry, replaceAgents } from '../connectionEntries.ts';
import { getKindFacts } from '../kindFacts.ts';
import { changeConnectionKind } from './changeKind.ts';
import type { ActionContext } from './connectionActions.ts';
import { askForAgents, askForBaseUrl, askForKind, askForName, askForUser } from './connectionFields.ts';

/** Lets the user change one field of a connection. If the base URL moves to another origin, removes the key and asks for a new one. */
export async function editConnection(parts: ActionContext, entry: ConnectionEntry): Promise<void> {
	const title = vscode.l10n.t("Edit '{0}'", entry.name);
	const choice = await vscode.window.showQuickPick(createFieldItems(parts, entry, title), {
		title,
		placeHolder: vscode.l10n.t('Select a field to change'),
	});
	const changed = await choice?.ask();
	if (!changed) {
		return;
	}
	await parts.settings.saveEntry(changed);
	if (getUrlOrigin(changed.baseUrl) !== getUrlOrigin(entry.baseUrl)) {
		await parts.keys.removeKeys(entry.id);
		if (!serviceKinds[changed.kind].keyOptional) {
			await parts.prompt.askForKeys(changed);
		}
	}
}

type Field = vscode.QuickPickItem & { ask: () => Promise<ConnectionEntry | undefined> };

function createFieldItems(parts: ActionContext, entry: ConnectionEntry, title: string): Field[] {
	const others = parts.settings.listEntries().filter(each => each.id !== entry.id);
	const agents: Field = {
		label: vscode.l10n.t('Agents'),
		description: entry.agents?.join(', ') ?? '',
		ask: async () => {
			const names = await askForAgents(title, entry);
			return names && replaceAgents(entry, names);
		},
	};
	return [
		{
			label: vscode.l10n.t('Name'),
			description: entry.name,
			ask: async () => {
				const name = await askForName(
					title,
					entry.name,
					others.map(each => each.name),
				);
				return name ? { ...entry, name } : undefined;
			},
		},
		{
			label: vscode.l10n.t('Kind'),
			description: getKindFacts()[entry.kind].label,
			ask: async () => {
				const kind = await askForKind(title, entry.kind);
				if (kind && kind !== entry.kind) {
					await changeConnectionKind(parts, entry, kind);
				}
				return undefined;
			},
		},
		{
			label: vscode.l10n.t('Base URL'),
			description: entry.baseUrl,
			ask: async () => {
				const baseUrl = await askForBaseUrl(title, entry.kind, entry.baseUrl);
				return baseUrl ? { ...entry, baseUrl } : undefined;
			},
		},
		{
			label: vscode.l10n.t('User'),
			description: entry.user ?? vscode.l10n.t('your user name on this machine'),
			ask: async () => {
				const user = await askForUser(title, entry.user ?? '');
				const { user: _before, ...rest } = entry;
				return user === undefined ? undefined : { ...rest, ...(user !== '' && { user }) };
			},
		},
		...(hasAgents(entry.kind) ? [agents] : []),
		{
			label: vscode.l10n.t('Key'),
			description: vscode.l10n.t('set or replace'),
			ask: async () => void (await parts.prompt.askForKeys(entry)),
		},
	];
}
