import * as vscode from 'vscode';
import type { LogStatus } from '../protocol/workflows.ts';
import type { RunLog } from './runLog.ts';
import { statusIcon, statusText } from './runWording.ts';

/** Named here too: the contract's module brings its schemas along, too much for what is loaded at activation. */
const logStatuses = ['succeeded', 'failed', 'stopped'] as const satisfies readonly LogStatus[];

/** Asks what the log of an agent is narrowed down to: a status, a keyword, both or neither. */
export async function filterLogs(log: RunLog): Promise<void> {
	const title = vscode.l10n.t('Filter logs');
	const any = { label: vscode.l10n.t('Any status'), iconPath: new vscode.ThemeIcon('list-unordered'), status: undefined };
	const each = logStatuses.map(status => ({ label: statusText(status), iconPath: statusIcon(status), status }));
	const choice = await vscode.window.showQuickPick([any, ...each], { title: `${title} (1/2)`, placeHolder: vscode.l10n.t('Status') });
	if (!choice) {
		return;
	}
	const keyword = await vscode.window.showInputBox({
		title: `${title} (2/2)`,
		prompt: vscode.l10n.t('Keyword in inputs, outputs or the user, or a run ID. Empty: any.'),
		value: log.filter.keyword ?? '',
	});
	if (keyword !== undefined) {
		log.setFilter({ ...(choice.status && { status: choice.status }), ...(keyword.trim() !== '' && { keyword: keyword.trim() }) });
	}
}
