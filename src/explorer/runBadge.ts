import * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';
import type { Runs } from '../workflows/runTypes.ts';
import { isActive } from './activeRuns.ts';

/** The number of active runs on the view's icon. */
export class RunBadge extends DisposableBase {
	constructor(view: vscode.TreeView<unknown>, runs: Runs) {
		super();
		const show = () => {
			const active = runs.list().filter(isActive).length;
			if (active !== (view.badge?.value ?? 0)) {
				const tooltip = active === 1 ? vscode.l10n.t('1 run is active') : vscode.l10n.t('{0} runs are active', active);
				view.badge = active === 0 ? undefined : { value: active, tooltip };
			}
		};
		this.own(runs.onDidChange(show));
		show();
	}
}
