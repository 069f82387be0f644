import * as vscode from 'vscode';
import type { LogStatus } from '#contract/workflows.ts';
import { createLogSpan, getSpanKindLabel, type LogSpan, logSpanKinds, parseDateSpan } from '#runs/logs/logSpan.ts';
import { getStatusIcon, getStatusText } from '../../platform/runWording.ts';
import type { RunLog } from '../lists/runLog.ts';

/** Repeats the contract's values, because importing the contract's module would load its schemas, which would slow down activation. */
const logStatuses = ['succeeded', 'failed', 'stopped', 'paused'] as const satisfies readonly LogStatus[];

/** Asks for a filter of an agent's log: a status, a time span and a keyword. Canceling keeps the current filter. */
export async function filterLogs(log: RunLog): Promise<void> {
	const getFilterTitle = (step: number) => vscode.l10n.t('Filter logs ({0}/3)', step);
	const any = { label: vscode.l10n.t('Any status'), iconPath: new vscode.ThemeIcon('list-unordered'), status: undefined };
	const each = logStatuses.map(status => ({ label: getStatusText(status), iconPath: getStatusIcon(status), status }));
	const choice = await vscode.window.showQuickPick([any, ...each], {
		title: getFilterTitle(1),
		placeHolder: vscode.l10n.t('Select a status'),
	});
	const span = choice && (await chooseTimeSpan(getFilterTitle(2)));
	if (!span) {
		return;
	}
	const keyword = await vscode.window.showInputBox({
		title: getFilterTitle(3),
		prompt: vscode.l10n.t('Search inputs, outputs, errors, users and run IDs. Leave empty to show all runs.'),
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

async function chooseTimeSpan(title: string): Promise<LogSpan | 'any' | undefined> {
	const any = { label: vscode.l10n.t('Any time'), span: undefined };
	const items = [any, ...logSpanKinds.map(span => ({ label: getSpanKindLabel(vscode.l10n, span), span }))];
	const choice = await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Select when the run started') });
	if (!choice) {
		return undefined;
	}
	if (choice.span === undefined) {
		return 'any';
	}
	return choice.span === 'dates' ? askDates(title) : createLogSpan(choice.span, Date.now());
}

async function askDates(title: string): Promise<LogSpan | undefined> {
	const text = await vscode.window.showInputBox({
		title,
		prompt: vscode.l10n.t('Enter a date, or a start date and an end date. For example, 2026-01-30 2026-01-31.'),
		validateInput: value => (parseDateSpan(value) ? undefined : vscode.l10n.t('Enter one or two dates. For example, 2026-01-31.')),
	});
	return text === undefined ? undefined : parseDateSpan(text);
}
