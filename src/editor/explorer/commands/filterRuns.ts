import * as vscode from 'vscode';
import type { RunsNode } from '../nodes/runsNode.ts';

/** Asks what the runs of an agent are narrowed down to. Who backs out keeps the filter that there was. */
export async function filterRuns(node: RunsNode): Promise<void> {
	const text = await vscode.window.showInputBox({
		title: vscode.l10n.t('Filter runs'),
		prompt: vscode.l10n.t('Text in inputs, outputs, errors, errors of nodes, the run file or the user, or a run ID. Empty: any.'),
		value: node.filter,
	});
	if (text !== undefined) {
		node.setFilter(text);
	}
}
