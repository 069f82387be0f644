import * as vscode from 'vscode';
import type { RunsNode } from '../nodes/runsNode.ts';

/** Asks for a text that an agent's runs must contain. Canceling keeps the current filter. */
export async function filterRuns(node: RunsNode): Promise<void> {
	const text = await vscode.window.showInputBox({
		title: vscode.l10n.t('Filter runs'),
		prompt: vscode.l10n.t('Search inputs, outputs, errors, run files, users and run IDs. Leave empty to show all runs.'),
		value: node.filter,
	});
	if (text !== undefined) {
		node.setFilter(text);
	}
}
