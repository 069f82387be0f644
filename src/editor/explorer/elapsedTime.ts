import type * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isRunActive } from '#runs/runStatus.ts';
import type { Runs } from '#runs/runTypes.ts';

/** Refreshes the times in the view while it's visible: of active runs every second, of all runs every minute. */
export class ElapsedTime extends DisposableBase {
	#timer: NodeJS.Timeout | undefined;

	constructor(view: vscode.TreeView<unknown>, runs: Runs, refresh: (all: boolean) => void) {
		super();
		const updateTimer = () => {
			if (view.visible && runs.list().some(isRunActive)) {
				this.#timer ??= setInterval(() => refresh(false), 1000);
			} else {
				clearInterval(this.#timer);
				this.#timer = undefined;
			}
		};
		this.register(runs.onDidChange(updateTimer));
		this.register(
			view.onDidChangeVisibility(({ visible }) => {
				updateTimer();
				if (visible) {
					refresh(true);
				}
			}),
		);
		const ageing = setInterval(() => view.visible && refresh(true), 60_000);
		this.register({
			dispose: () => {
				clearInterval(this.#timer);
				clearInterval(ageing);
			},
		});
		updateTimer();
	}
}
