import * as vscode from 'vscode';
import type { AppKey } from '#client/dify/management.ts';
import { agoText, oneLine } from '../../platform/wording.ts';
import { keyedEntry } from '../difyEntries.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import type { KeyParts } from './createKey.ts';

/** Deletes a key of an app in Dify, and the connection that has it where the user wants so. */
export async function deleteKey({ deployments, settings, keys }: KeyParts, of: AppOfDeployment): Promise<void> {
	const management = await deployments.management(of.connectionId);
	const entry = keyedEntry(settings, of);
	if (!management.offers.has('deleteKey')) {
		// deletes the connection and what it has; the key itself is deleted in Dify
		await vscode.commands.executeCommand('agentWorkbench.connection.remove', entry?.id);
		return;
	}
	const own = entry && (await keys.get(entry)).agent;
	const items = (await management.keys(of.app.id)).map(key => itemOf(key, isSame(key.token, own)));
	const title = vscode.l10n.t('Delete a key of “{0}”', oneLine(of.app.name));
	const choice = await vscode.window.showQuickPick(
		items.sort((a, b) => Number(b.isOwn) - Number(a.isOwn)),
		{ title, placeHolder: vscode.l10n.t('Whatever uses the key stops working at once.') },
	);
	if (!choice) {
		return;
	}
	const deleteBoth = vscode.l10n.t('Delete Key and Connection');
	const deleteOne = vscode.l10n.t('Delete Key');
	const answer = await vscode.window.showWarningMessage(
		title,
		{ modal: true, detail: vscode.l10n.t('Whatever uses the key stops working at once. Runs and conversations stay in Dify.') },
		...(entry && choice.isOwn ? [deleteBoth, deleteOne] : [deleteOne]),
	);
	if (answer === undefined) {
		return;
	}
	await management.deleteKey(of.app.id, choice.key.id);
	if (entry && choice.isOwn) {
		await keys.forget(entry.id);
	}
	if (entry && answer === deleteBoth) {
		await settings.remove([entry.id]);
	}
}

function itemOf(key: AppKey, isOwn: boolean) {
	const { token, createdAt, lastUsedAt } = key;
	return {
		label: masked(token),
		description: isOwn ? vscode.l10n.t('the one that is used here') : '',
		detail: [
			createdAt === undefined ? '' : vscode.l10n.t('made {0}', agoText(createdAt * 1000)),
			lastUsedAt === undefined ? vscode.l10n.t('never used') : vscode.l10n.t('used {0}', agoText(lastUsedAt * 1000)),
		]
			.filter(part => part !== '')
			.join(' · '),
		key,
		isOwn,
	};
}

/** As much of a key as its pages in Dify show. */
function masked(token: string): string {
	return /[.*]{3}|…/.test(token) ? oneLine(token, 30) : `${token.slice(0, 6)}…${token.slice(-4)}`;
}

/** Whether a key as a list shows it, whole or with dots in its middle, is this one. */
function isSame(shown: string, key: string | undefined): boolean {
	const [head = '', tail = ''] = shown.split(/(?:\.{2,}|\*{2,}|…)/, 2);
	return (
		key !== undefined && (shown === key || (shown !== head && head.length + tail.length > 3 && key.startsWith(head) && key.endsWith(tail)))
	);
}
