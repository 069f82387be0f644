import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import type { PastStep } from './debuggedRun.ts';

/** Formats an earlier step of a run. */
export function formatPast({ step, of, changes = 0 }: PastStep): string {
	if (changes === 1) {
		return vscode.l10n.t({
			message: 'In the past: step {0} of {1} · 1 change',
			args: [step, of],
			comment: ['The user changed a value at an earlier step of the run.'],
		});
	}
	if (changes > 1) {
		return vscode.l10n.t({
			message: 'In the past: step {0} of {1} · {2} changes',
			args: [step, of, changes],
			comment: ['The user changed values at an earlier step of the run.'],
		});
	}
	return vscode.l10n.t({
		message: 'In the past: step {0} of {1}',
		args: [step, of],
		comment: ['The debugger shows an earlier step of the run. {1} is the number of steps so far.'],
	});
}

/** Status bar item that shows that the active debug session is at an earlier step of its run, and returns from there. */
export class PastStatus extends DisposableBase {
	/** Earlier steps by VS Code's session ID. */
	readonly #steps = new Map<string, PastStep>();
	#item: vscode.StatusBarItem | undefined;

	constructor() {
		super();
		this.register(vscode.debug.onDidChangeActiveDebugSession(() => this.#updateItem()));
		this.register({ dispose: () => this.#item?.dispose() });
	}

	/** Shows where a session is; `undefined` if it isn't in the past. */
	showSession(id: string, past: PastStep | undefined): void {
		if (past) {
			this.#steps.set(id, past);
		} else {
			this.#steps.delete(id);
		}
		this.#updateItem();
	}

	#updateItem(): void {
		const past = this.#steps.get(vscode.debug.activeDebugSession?.id ?? '');
		void vscode.commands.executeCommand('setContext', 'agentWorkbench.debug.inPast', past !== undefined);
		if (!past) {
			this.#item?.hide();
			return;
		}
		this.#item ??= createItem();
		this.#item.text = `$(history) ${formatPast(past)}`;
		this.#item.show();
	}
}

function createItem(): vscode.StatusBarItem {
	const item = vscode.window.createStatusBarItem('agentWorkbench.debugPast', vscode.StatusBarAlignment.Left, 10);
	item.name = vscode.l10n.t('Agent debugger');
	item.tooltip = vscode.l10n.t('Return to Present');
	item.command = 'agentWorkbench.debug.returnToPresent' satisfies CommandId;
	item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
	return item;
}
