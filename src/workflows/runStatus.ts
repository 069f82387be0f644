import * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';
import { durationText, oneLine } from '../common/wording.ts';
import { isLive } from './runStore.ts';
import type { RunRecord, Runs } from './runTypes.ts';

const tickMs = 1000;

/** Status bar item: the runs that go on, else how the last run of this window ended. Absent until there was one. */
export class RunStatus extends DisposableBase {
	readonly #runs: Runs;
	readonly #item = this.own(vscode.window.createStatusBarItem('agentWorkbench.runs', vscode.StatusBarAlignment.Left, 0));
	#last: string | undefined;
	#timer: NodeJS.Timeout | undefined;

	constructor(runs: Runs) {
		super();
		this.#runs = runs;
		this.#item.name = vscode.l10n.t('Agent Workbench runs');
		this.own(runs.onDidChange(record => this.#note(record)));
		this.own(runs.onDidRemove(() => this.#show()));
		this.own({ dispose: () => clearInterval(this.#timer) });
		this.#show();
	}

	#note(record: RunRecord): void {
		this.#last = record.key;
		this.#show();
	}

	#show(): void {
		const live = this.#runs.list().filter(({ status }) => isLive(status));
		const last = this.#last === undefined ? undefined : this.#runs.get(this.#last);
		const [first] = live;
		if (first) {
			this.#timer ??= setInterval(() => this.#show(), tickMs);
			this.#showLive(first, live.length);
		} else {
			clearInterval(this.#timer);
			this.#timer = undefined;
			this.#showEnded(last);
		}
	}

	#showLive(run: RunRecord, count: number): void {
		const what = count === 1 ? run.agent : vscode.l10n.t('{0} runs', count);
		this.#item.text = `$(sync~spin) ${oneLine(what, 30)} ${durationText(Date.now() - run.startedAt)}`;
		this.#item.tooltip = vscode.l10n.t('Show the events of the runs that go on');
		this.#item.command = 'agentWorkbench.run.showOutput';
		this.#item.show();
	}

	#showEnded(run: RunRecord | undefined): void {
		if (!run) {
			this.#item.hide();
			return;
		}
		const icon = { succeeded: '$(pass)', failed: '$(error)', 'partial-succeeded': '$(warning)', lost: '$(debug-disconnect)' }[
			run.status as string
		];
		const time = run.elapsedSeconds === undefined ? run.status : durationText(run.elapsedSeconds * 1000);
		this.#item.text = `${icon ?? '$(circle-slash)'} ${oneLine(run.agent, 30)} ${time}`;
		this.#item.tooltip = run.error ? `${run.status}: ${oneLine(run.error, 200)}` : vscode.l10n.t('{0}: open the outputs', run.status);
		this.#item.command = {
			title: '',
			command: run.error ? 'agentWorkbench.run.open' : 'agentWorkbench.run.openOutputs',
			arguments: [run.key],
		};
		this.#item.show();
	}
}
