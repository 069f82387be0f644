import path from 'node:path';
import * as vscode from 'vscode';
import { getOwnField } from '#base/records/ownField.ts';
import { getStatusCodicon } from '#runs/events/statusIcons.ts';
import { getStatusLabel } from '#runs/events/statusLabel.ts';
import { formatValuesOnOneLine } from '#runs/following/readableValue.ts';
import { isRunActive, isRunPaused } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { formatList } from './format.ts';
import { escapeIcons, formatBriefDuration, formatRelativeTime, formatTokens, toOneLine } from './wording.ts';

/** Theme colors of the status icons. Other icons have no color. */
const iconColors: Readonly<Record<string, string>> = {
	succeeded: 'testing.iconPassed',
	'partial-succeeded': 'problemsWarningIcon.foreground',
	failed: 'problemsErrorIcon.foreground',
	paused: 'notificationsInfoIcon.foreground',
};

/** Returns the icon for a run's status. An unknown status gets the icon of finished runs. */
export function getStatusIcon(status: string): vscode.ThemeIcon {
	const color = getOwnField(iconColors, status);
	return new vscode.ThemeIcon(addSpinner(getStatusCodicon(status)), color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Returns the icon for a run's status as text in a label, for example `$(pass)`. */
export function formatStatusIcon(status: string): string {
	return `$(${addSpinner(getStatusCodicon(status))})`;
}

function addSpinner(icon: string): string {
	return icon === 'loading' ? `${icon}~spin` : icon;
}

/** Returns the result of {@link getStatusLabel} in the editor's language. */
export function getStatusText(status: string): string {
	return getStatusLabel(vscode.l10n, status);
}

/** Returns the name of a run's file without its ending, or `undefined` for a run that wasn't started from a file. */
export function getRunFileName({ file }: RunRecord): string | undefined {
	return file && path.posix.basename(vscode.Uri.parse(file).path).replace(/\.run\.jsonc?$/, '');
}

/** Describes a run's progress, or how and when it ended. */
export function formatRunProgress(run: RunRecord): string {
	if (isRunActive(run)) {
		return joinParts(formatBriefDuration(Date.now() - run.startedAt), formatRunPosition(run));
	}
	if (isRunPaused(run)) {
		return joinParts(formatRelativeTime(run.startedAt), formatPendingForms(run));
	}
	const tokens = run.totalTokens ? formatTokens(run.totalTokens) : '';
	// the age comes first because a narrow side bar cuts the end
	return joinParts(
		formatRelativeTime(run.startedAt),
		run.error ? toOneLine(run.error) : joinParts(getStatusUnlessSucceeded(run), formatElapsed(run), tokens),
	);
}

/** Describes the position of an active run: the node where the debugger paused it, or the last node that started. */
export function formatRunPosition({ status, stands, node }: RunRecord): string {
	if (stands && status !== 'stopping') {
		return vscode.l10n.t({ message: "paused at '{0}'", args: [toOneLine(stands.title, 40)], comment: ['{0} is the title of a node'] });
	}
	return node && status !== 'stopping'
		? vscode.l10n.t({
				message: 'node {0} · {1}',
				args: [node.index, toOneLine(node.title, 40)],
				comment: ['{0} is the number of the node in the run, {1} is its title'],
			})
		: getStatusText(status);
}

/** Describes what a paused run is waiting for, by the titles of its forms if they are known. */
export function formatPendingForms({ forms = [] }: { readonly forms?: RunRecord['forms'] }): string {
	const titles = formatList(forms.map(({ title }) => toOneLine(title, 40)));
	return titles === '' ? getStatusText('paused') : vscode.l10n.t('waiting for input: {0}', titles);
}

/** Describes how the last run of a file ended. Short enough for a narrow side bar that also shows the status icon. */
export function formatRunOutcome(run: RunRecord): string {
	if (isRunActive(run)) {
		return formatRunProgress(run);
	}
	const words = isRunPaused(run) ? formatPendingForms(run) : run.status === 'failed' ? '' : getStatusUnlessSucceeded(run);
	return joinParts(formatRelativeTime(run.startedAt), words, formatElapsed(run));
}

/** Describes the result of a finished run on one line: its error, or its outputs. Empty if there are none. */
function formatRunResult({ error, outputs }: RunRecord): string {
	return toOneLine(error ?? formatValuesOnOneLine(outputs ?? null));
}

/** Describes how the last run of a file ended, for the title of a code lens. */
export function formatLastRun(record: RunRecord): string {
	switch (record.status) {
		case 'starting':
		case 'running':
			return vscode.l10n.t('$(sync~spin) running');
		case 'stopping':
			return vscode.l10n.t('$(sync~spin) stopping');
		default: {
			const time = record.elapsedSeconds === undefined ? '' : ` ${formatBriefDuration(record.elapsedSeconds * 1000)}`;
			const outcome = `${getStatusText(record.status)}${time}`;
			const heading = vscode.l10n.t({
				message: '{0} Last run: {1}, {2}',
				args: [formatStatusIcon(record.status), outcome, formatRelativeTime(record.startedAt)],
				comment: ['{0} is an icon, {1} a status with a duration, {2} a relative time such as "2 hours ago"'],
			});
			return joinParts(heading, escapeIcons(formatRunResult(record)));
		}
	}
}

/** Joins the parts of a description with ` · `. Skips empty parts. */
export function joinParts(...parts: readonly string[]): string {
	return parts.filter(part => part !== '').join(' · ');
}

function formatElapsed(run: RunRecord): string {
	return run.elapsedSeconds === undefined ? '' : formatBriefDuration(run.elapsedSeconds * 1000);
}

function getStatusUnlessSucceeded(run: RunRecord): string {
	return run.status === 'succeeded' ? '' : getStatusText(run.status);
}
