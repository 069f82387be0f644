import * as vscode from 'vscode';
import { agoText, durationText, oneLine, tokensText } from '../common/wording.ts';
import type { RunRecord } from '../workflows/runTypes.ts';
import { isActive } from './activeRuns.ts';

/** Icon of a run's status, the same wherever a run is shown. Statuses that are not known pass as finished. */
export function statusIcon(status: string): vscode.ThemeIcon {
	switch (status) {
		case 'starting':
		case 'running':
		case 'stopping':
			return new vscode.ThemeIcon('loading~spin');
		case 'succeeded':
			return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
		case 'partial-succeeded':
			return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
		case 'failed':
			return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
		case 'stopped':
			return new vscode.ThemeIcon('circle-slash');
		case 'lost':
			return new vscode.ThemeIcon('debug-disconnect');
		case 'paused':
			return new vscode.ThemeIcon('debug-pause');
		default:
			return new vscode.ThemeIcon('circle-outline');
	}
}

/** Status in words, for descriptions, tooltips and screen readers. */
export function statusText(status: string): string {
	switch (status) {
		case 'starting':
			return vscode.l10n.t('starting');
		case 'running':
			return vscode.l10n.t('running');
		case 'stopping':
			return vscode.l10n.t('stopping');
		case 'succeeded':
			return vscode.l10n.t('succeeded');
		case 'partial-succeeded':
			return vscode.l10n.t('succeeded in part');
		case 'failed':
			return vscode.l10n.t('failed');
		case 'stopped':
			return vscode.l10n.t('stopped');
		case 'lost':
			return vscode.l10n.t('lost: the connection broke before its end');
		default:
			return status;
	}
}

/** What one asks next about a run: how far it is, or how it ended and when. */
export function progressText(run: RunRecord): string {
	if (isActive(run)) {
		const node = run.node ? vscode.l10n.t('node {0} · {1}', run.node.index, oneLine(run.node.title, 40)) : statusText(run.status);
		return join(durationText(Date.now() - run.startedAt), run.status === 'stopping' ? statusText(run.status) : node);
	}
	const tokens = run.totalTokens ? tokensText(run.totalTokens) : '';
	return join(run.error ? oneLine(run.error) : join(statusUnlessSucceeded(run), duration(run), tokens), agoText(run.startedAt));
}

/** How the last run of a file ended, as short as a narrow side bar needs it. */
export function outcomeText(run: RunRecord): string {
	if (isActive(run)) {
		return `↻ ${progressText(run)}`;
	}
	const sign = run.status === 'succeeded' ? '✔' : run.status === 'failed' ? '✖' : '';
	return `${sign} ${join(sign === '' ? statusText(run.status) : '', duration(run), agoText(run.startedAt))}`.trim();
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
