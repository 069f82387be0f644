import type * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isRunActive } from '#runs/runStatus.ts';
import type { Runs } from '#runs/runTypes.ts';
import type { AgentsTree } from './agentsTree.ts';

const firstDelayMs = 2_000;
const lastDelayMs = 30_000;

/**
 * Refreshes the visible logs: when a run of this window has ended, and at doubling intervals while an entry is running and the view is
 * visible.
 */
export class LogPolling extends DisposableBase {
	readonly #tree: AgentsTree;
	readonly #view: vscode.TreeView<unknown>;
	#timer: NodeJS.Timeout | undefined;
	#delay = firstDelayMs;

	constructor(tree: AgentsTree, view: vscode.TreeView<unknown>, runs: Runs) {
		super();
		this.#tree = tree;
		this.#view = view;
		const active = new Set<string>();
		this.register(
			runs.onDidChange(run => {
				if (isRunActive(run)) {
					active.add(run.key);
				} else if (active.delete(run.key)) {
					void tree.findAgentNode(run.connectionId, run.agent)?.logs.log.pages.refreshFirstPage();
				}
			}),
		);
		this.register(view.onDidChangeVisibility(() => this.#restartPolling()));
		this.register(tree.onDidChangeTreeData(() => this.#scheduleRefresh()));
		this.register({ dispose: () => clearTimeout(this.#timer) });
	}

	#restartPolling(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#delay = firstDelayMs;
		this.#scheduleRefresh();
	}

	#scheduleRefresh(): void {
		const logs = this.#tree.getActiveLogs();
		if (this.#timer || logs.length === 0 || !this.#view.visible || this.disposed) {
			return;
		}
		this.#timer = setTimeout(async () => {
			await Promise.all(logs.map(log => log.pages.refreshFirstPage()));
			this.#timer = undefined;
			this.#delay = Math.min(lastDelayMs, this.#delay * 2);
			this.#scheduleRefresh();
		}, this.#delay);
	}
}
