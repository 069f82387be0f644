import * as vscode from 'vscode';
import type { DifyConnectionNode } from '../dify/difyConnectionNode.ts';

/** Asks for a text that app names must contain. Canceling keeps the current filter. */
export async function filterApps(node: DifyConnectionNode): Promise<void> {
	const text = await vscode.window.showInputBox({
		title: vscode.l10n.t('Filter apps'),
		prompt: vscode.l10n.t('Part of the app name. Leave empty to show all apps.'),
		value: node.filter,
	});
	if (text !== undefined) {
		node.setFilter(text);
	}
}
