import * as vscode from 'vscode';
import { referrers } from '#agentFile/edits/referrers.ts';
import type { AgentReading } from '#agentFile/reading/agentReading.ts';

/** More of those that refer are counted. */
const most = 8;

/** Whether nodes may go: asks where others refer to them, and says which. */
export async function askDelete(file: AgentReading, nodes: readonly string[]): Promise<boolean> {
	const found = referrers(file, nodes);
	if (found.length === 0) {
		return true;
	}
	const uses = [...new Set(found.map(({ title, path, variable }) => `${title} (${path[0] ?? ''}): ${variable}`))];
	const more = uses.length > most ? [vscode.l10n.t('and {0} more', uses.length - most)] : [];
	const remove = vscode.l10n.t('Delete');
	const choice = await vscode.window.showWarningMessage(
		vscode.l10n.t('Other nodes refer to what is deleted. Their references stay, and are wrong then.'),
		{ modal: true, detail: [...uses.slice(0, most), ...more].join('\n') },
		remove,
	);
	return choice === remove;
}
