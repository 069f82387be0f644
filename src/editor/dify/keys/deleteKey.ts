import * as vscode from 'vscode';
import type { AppKey } from '#client/dify/management.ts';
import { formatRelativeTime, toOneLine } from '../../platform/wording.ts';
import { findEntryWithKey } from '../difyEntries.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import type { KeyParts } from './createKey.ts';

/** Deletes a key of an app in Dify. If the user agrees, also removes the connection that uses the key. */
export async function deleteKey({ deployments, settings, keys }: KeyParts, of: AppOfDeployment): Promise<void> {
	const management = await deployments.getManagement(of.connectionId);
	const entry = findEntryWithKey(settings, of);
	if (!management.offers.has('deleteKey')) {
		// this only removes the connection and its copy of the key: the key itself has to be deleted in Dify
		await vscode.commands.executeCommand('agentWorkbench.connection.remove', entry?.id);
		return;
	}
	const own = entry && (await keys.get(entry)).agent;
	const items = (await management.keys(of.app.id)).map(key => toKeyItem(key, matchesKey(key.token, own)));
	const title = vscode.l10n.t("Delete a key of '{0}'", toOneLine(of.app.name));
	const choice = await vscode.window.showQuickPick(
		items.sort((a, b) => Number(b.isOwn) - Number(a.isOwn)),
		{ title, placeHolder: vscode.l10n.t('Select a key to delete. Programs that use it will stop working immediately.') },
	);
	if (!choice) {
		return;
	}
	const deleteBoth = vscode.l10n.t('Delete key and connection');
	const deleteOne = vscode.l10n.t('Delete key');
	const answer = await vscode.window.showWarningMessage(
		title,
		{
			modal: true,
			detail: vscode.l10n.t("Programs that use the key will stop working immediately. Runs and conversations won't be deleted."),
		},
		...(entry && choice.isOwn ? [deleteBoth, deleteOne] : [deleteOne]),
	);
	if (answer === undefined) {
		return;
	}
	await management.deleteKey(of.app.id, choice.key.id);
	if (entry && choice.isOwn) {
		await keys.removeKeys(entry.id);
	}
	if (entry && answer === deleteBoth) {
		await settings.removeEntries([entry.id]);
	}
}

function toKeyItem(key: AppKey, isOwn: boolean) {
	const { token, createdAt, lastUsedAt } = key;
	return {
		label: maskToken(token),
		description: isOwn ? vscode.l10n.t('used by this connection') : '',
		detail: [
			createdAt === undefined
				? ''
				: vscode.l10n.t({
						message: 'created {0}',
						args: [formatRelativeTime(createdAt * 1000)],
						comment: ["{0} is a relative time such as '2 h ago'; said of a key"],
					}),
			lastUsedAt === undefined
				? vscode.l10n.t('never used')
				: vscode.l10n.t({
						message: 'used {0}',
						args: [formatRelativeTime(lastUsedAt * 1000)],
						comment: ["{0} is a relative time such as '2 h ago'; said of a key"],
					}),
		]
			.filter(part => part !== '')
			.join(' · '),
		key,
		isOwn,
	};
}

/** Masks a key like Dify's own pages do. */
function maskToken(token: string): string {
	return /[.*]{3}|…/.test(token) ? toOneLine(token, 30) : `${token.slice(0, 6)}…${token.slice(-4)}`;
}

/** True if a listed key, which may be masked in the middle, matches `key`. */
function matchesKey(shown: string, key: string | undefined): boolean {
	const [head = '', tail = ''] = shown.split(/(?:\.{2,}|\*{2,}|…)/, 2);
	return (
		key !== undefined && (shown === key || (shown !== head && head.length + tail.length > 3 && key.startsWith(head) && key.endsWith(tail)))
	);
}
