import * as vscode from 'vscode';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { escapeLinks, formatBriefDuration, toOneLine } from '../../platform/wording.ts';
import type { RunControl, StartedRun } from './runControl.ts';

const tickMs = 500;

/**
 * Shows a run as a notification with a cancel button until the run has ended. After a cancel, shows it until the stop is confirmed. Shows
 * nothing for a run that is on screen, because its inspector has a stop button.
 */
export async function showRunProgress(run: StartedRun, runs: Runs, control: RunControl, isOnScreen: boolean): Promise<RunRecord> {
	if (isOnScreen) {
		return run.ended;
	}
	const cancelled = await showNotification(run, runs, true, async token => {
		const cancel = new Promise<true>(resolve => token.onCancellationRequested(() => resolve(true)));
		return Promise.race([run.ended.then(() => false), cancel]);
	});
	// VS Code closes a notification that is canceled, so show a new one if the stop is refused
	if (cancelled) {
		control.stop(run.key);
		const refused = await showNotification(run, runs, false, () =>
			Promise.race([run.ended.then(() => false), waitForStopResult(run.key, runs)]),
		);
		if (refused) {
			return showRunProgress(run, runs, control, false);
		}
	}
	return run.ended;
}

function showNotification<T>(
	run: StartedRun,
	runs: Runs,
	cancellable: boolean,
	task: (token: vscode.CancellationToken) => Promise<T>,
): Thenable<T> {
	const record = runs.get(run.key);
	const title = escapeLinks(record?.agent ?? '');
	return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable }, async (progress, token) => {
		const reportProgress = () => {
			const now = runs.get(run.key);
			if (now) {
				progress.report({ message: escapeLinks(formatProgress(now)) });
			}
		};
		reportProgress();
		const timer = setInterval(reportProgress, tickMs);
		try {
			return await task(token);
		} finally {
			clearInterval(timer);
		}
	});
}

/** Resolves when a stop has been confirmed or refused. Resolves to true if it was refused, so that the run is still active. */
function waitForStopResult(key: string, runs: Runs): Promise<boolean> {
	return new Promise(resolve => {
		const checkStatus = () => {
			const status = runs.get(key)?.status;
			if (status !== 'stopping') {
				listener.dispose();
				resolve(status === 'running');
			}
		};
		const listener = runs.onDidChange(record => record.key === key && checkStatus());
		checkStatus();
	});
}

function formatProgress(record: RunRecord): string {
	const time = formatBriefDuration(Date.now() - record.startedAt);
	if (record.status === 'stopping') {
		return record.taskId === undefined
			? vscode.l10n.t('stopping once the service reports the run ID · {0}', time)
			: vscode.l10n.t('stopping, waiting for the run to end · {0}', time);
	}
	if (record.mode === 'blocking') {
		return vscode.l10n.t("waiting for the response · {0} · canceling doesn't stop the run", time);
	}
	return record.node
		? vscode.l10n.t({
				message: 'node {0} · {1} · {2}',
				args: [record.node.index, toOneLine(record.node.title, 40), time],
				comment: ['{0} is the number of the node in the run, {1} is its title, {2} is the elapsed time'],
			})
		: time;
}
