import * as vscode from 'vscode';
import { ownField } from '#base/records/ownField.ts';
import { statusCodicon } from '#runs/events/statusIcons.ts';
import { statusLabel } from '#runs/events/statusLabel.ts';
import { isActive, isPaused } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { agoText, durationText, oneLine, tokensText } from './wording.ts';

/** Colours of the icons that have one. */
const iconColors: Readonly<Record<string, string>> = {
	succeeded: 'testing.iconPassed',
	'partial-succeeded': 'problemsWarningIcon.foreground',
	failed: 'problemsErrorIcon.foreground',
	paused: 'notificationsInfoIcon.foreground',
};

/** Icon of a run's status, the same wherever a run is shown. Statuses that are not known pass as finished. */
export function statusIcon(status: string): vscode.ThemeIcon {
	const color = ownField(iconColors, status);
	return new vscode.ThemeIcon(spinning(statusCodicon(status)), color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Icon of a run's status inside a text, as the status bar shows one: `$(pass)`. */
export function statusIconText(status: string): string {
	return `$(${spinning(statusCodicon(status))})`;
}

function spinning(icon: string): string {
	return icon === 'loading' ? `${icon}~spin` : icon;
}

/** {@link statusLabel} in the editor's language. */
export function statusText(status: string): string {
	return statusLabel(vscode.l10n, status);
}

/** What one asks next about a run: how far it is, or how it ended and when. */
export function progressText(run: RunRecord): string {
	if (isActive(run)) {
		const node = run.stands
			? vscode.l10n.t('paused in {0}', oneLine(run.stands.title, 40))
			: run.node
				? vscode.l10n.t('node {0} · {1}', run.node.index, oneLine(run.node.title, 40))
				: statusText(run.status);
		return join(durationText(Date.now() - run.startedAt), run.status === 'stopping' ? statusText(run.status) : node);
	}
	if (isPaused(run)) {
		return join(waitText(run), agoText(run.startedAt));
	}
	const tokens = run.totalTokens ? tokensText(run.totalTokens) : '';
	return join(run.error ? oneLine(run.error) : join(statusUnlessSucceeded(run), duration(run), tokens), agoText(run.startedAt));
}

/** What a run that is paused waits for: its forms by name, where they are known. */
export function waitText({ forms = [] }: { readonly forms?: RunRecord['forms'] }): string {
	const titles = forms.map(({ title }) => oneLine(title, 40)).join(', ');
	return titles === '' ? statusText('paused') : vscode.l10n.t('waiting for input: {0}', titles);
}

/** How the last run of a file ended, as short as a narrow side bar needs it beside the icon of its status. */
export function outcomeText(run: RunRecord): string {
	if (isActive(run)) {
		return progressText(run);
	}
	const words = isPaused(run) ? waitText(run) : run.status === 'failed' ? '' : statusUnlessSucceeded(run);
	return join(words, duration(run), agoText(run.startedAt));
}

/** Parts of a description, without the empty ones. */
export function join(...parts: readonly string[]): string {
	return parts.filter(part => part !== '').join(' · ');
}

function duration(run: RunRecord): string {
	return run.elapsedSeconds === undefined ? '' : durationText(run.elapsedSeconds * 1000);
}

function statusUnlessSucceeded(run: RunRecord): string {
	return run.status === 'succeeded' ? '' : statusText(run.status);
}
