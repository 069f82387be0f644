import * as vscode from 'vscode';
import type { LogStatus } from '#contract/workflows.ts';
import { type LogSpan, logSpanKinds, spanKindLabel, spanOf, spanOfDates } from '#runs/logs/logSpan.ts';
import { statusIcon, statusText } from '../../platform/runWording.ts';
import type { RunLog } from '../lists/runLog.ts';

/** Named here too: the contract's module brings its schemas along, too much for what is loaded at activation. */
const logStatuses = ['succeeded', 'failed', 'stopped', 'paused'] as const satisfies readonly LogStatus[];

/** Asks what the log of an agent is narrowed down to: a status, a span of time, a keyword. Who backs out keeps the filter that there was. */
export async function filterLogs(log: RunLog): Promise<void> {
	const title = vscode.l10n.t('Filter logs');
	const any = { label: vscode.l10n.t('Any status'), iconPath: new vscode.ThemeIcon('list-unordered'), status: undefined };
	const each = logStatuses.map(status => ({ label: statusText(status), iconPath: statusIcon(status), status }));
	const choice = await vscode.window.showQuickPick([any, ...each], { title: `${title} (1/3)`, placeHolder: vscode.l10n.t('Status') });
	const span = choice && (await chooseSpan(`${title} (2/3)`));
	if (!span) {
		return;
	}
	const keyword = await vscode.window.showInputBox({
		title: `${title} (3/3)`,
		prompt: vscode.l10n.t('Keyword in inputs, outputs, errors or the user, or a run ID. Empty: any.'),
		value: log.filter.keyword ?? '',
	});
	if (keyword !== undefined) {
		log.setFilter({
			...(choice.status && { status: choice.status }),
			...(span !== 'any' && { span }),
			...(keyword.trim() !== '' && { keyword: keyword.trim() }),
		});
	}
}

async function chooseSpan(title: string): Promise<LogSpan | 'any' | undefined> {
	const any = { label: vscode.l10n.t('Any time'), span: undefined };
	const items = [any, ...logSpanKinds.map(span => ({ label: spanKindLabel(vscode.l10n, span), span }))];
	const choice = await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('When the run started') });
	if (!choice) {
		return undefined;
	}
	if (choice.span === undefined) {
		return 'any';
	}
	return choice.span === 'dates' ? askDates(title) : spanOf(choice.span, Date.now());
}

async function askDates(title: string): Promise<LogSpan | undefined> {
	const text = await vscode.window.showInputBox({
		title,
		prompt: vscode.l10n.t('A day, or the first and the last, as in “2026-01-30 2026-01-31”'),
		validateInput: value => (spanOfDates(value) ? undefined : vscode.l10n.t('Expected one or two days such as 2026-01-31.')),
	});
	return text === undefined ? undefined : spanOfDates(text);
}
