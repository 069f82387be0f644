import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isRunActive, isRunPaused } from '#runs/runStatus.ts';
import type { Runs } from '#runs/runTypes.ts';
import { joinParts } from '../platform/runWording.ts';

/** Shows the number of active and paused runs on the view's icon. */
export class RunBadge extends DisposableBase {
	constructor(view: vscode.TreeView<unknown>, runs: Runs) {
		super();
		const updateBadge = () => {
			const all = runs.list();
			const active = all.filter(isRunActive).length;
			const paused = all.filter(isRunPaused).length;
			const tooltip = joinParts(formatActiveRuns(active), formatPausedRuns(paused));
			if (tooltip !== (view.badge?.tooltip ?? '')) {
				view.badge = active + paused === 0 ? undefined : { value: active + paused, tooltip };
			}
		};
		this.register(runs.onDidChange(updateBadge));
		updateBadge();
	}
}

function formatActiveRuns(count: number): string {
	return count === 0 ? '' : count === 1 ? vscode.l10n.t('1 run is active') : vscode.l10n.t('{0} runs are active', count);
}

function formatPausedRuns(count: number): string {
	return count === 0
		? ''
		: count === 1
			? vscode.l10n.t('1 run is waiting for input')
			: vscode.l10n.t('{0} runs are waiting for input', count);
}
