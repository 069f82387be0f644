import type * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isRunActive } from '#runs/runStatus.ts';
import type { Runs } from '#runs/runTypes.ts';

/** Refreshes the elapsed time of active runs every second while the view is visible. */
export class ElapsedTime extends DisposableBase {
	#timer: NodeJS.Timeout | undefined;

	constructor(view: vscode.TreeView<unknown>, runs: Runs, tick: () => void) {
		super();
		const updateTimer = () => {
			if (view.visible && runs.list().some(isRunActive)) {
				this.#timer ??= setInterval(tick, 1000);
			} else {
				clearInterval(this.#timer);
				this.#timer = undefined;
			}
		};
		this.register(runs.onDidChange(updateTimer));
		this.register(view.onDidChangeVisibility(updateTimer));
		this.register({ dispose: () => clearInterval(this.#timer) });
		updateTimer();
	}
}
