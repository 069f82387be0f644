import * as vscode from 'vscode';
import type { DifyConnectionNode } from '../dify/difyConnectionNode.ts';

/** Asks for the text that the names of apps have. Who backs out keeps the filter that there was. */
export async function filterApps(node: DifyConnectionNode): Promise<void> {
	const text = await vscode.window.showInputBox({
		title: vscode.l10n.t('Filter apps'),
		prompt: vscode.l10n.t('Text in the name of an app; the deployment looks for it. Empty: all apps.'),
		value: node.filter,
	});
	if (text !== undefined) {
		node.setFilter(text);
	}
}
