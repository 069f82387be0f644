import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { explainNotAnswerable } from '#runs/forms/formOutcome.ts';
import { isRunPaused } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { escapeLinks, toOneLine } from '../../platform/wording.ts';
import type { RunRecords } from '../history/runRecords.ts';

/**
 * Notifies the user once of each form that a run of this window is waiting for. Runs that paused before the window opened are shown only in
 * the tree.
 */
export class FormNotices extends DisposableBase {
	readonly #records: RunRecords;
	/** IDs of forms that the user was notified of, by run key. */
	readonly #notified = new Map<string, ReadonlySet<string>>();

	constructor(records: RunRecords) {
		super();
		this.#records = records;
		for (const record of records.list().filter(isRunPaused)) {
			this.#rememberForms(record);
		}
		this.register(records.onDidChange(record => this.#onRunChange(record)));
		this.register(records.onDidRemove(keys => this.#forgetRun(keys)));
	}

	#forgetRun(keys: readonly string[]): void {
		for (const key of keys) {
			this.#notified.delete(key);
		}
	}

	#onRunChange(record: RunRecord): void {
		const known = this.#notified.get(record.key);
		if (!isRunPaused(record) || !this.#records.isOwnRun(record.key)) {
			return;
		}
		const [form] = (record.forms ?? []).filter(({ id }) => !known?.has(id));
		this.#rememberForms(record);
		if (form) {
			void this.#notifyUser(record, form.title, form.answerable);
		}
	}

	#rememberForms({ key, forms = [] }: RunRecord): void {
		this.#notified.set(key, new Set([...(this.#notified.get(key) ?? []), ...forms.map(({ id }) => id)]));
	}

	async #notifyUser({ key, agent }: RunRecord, title: string, answerable: boolean): Promise<void> {
		const open = answerable
			? vscode.l10n.t({ message: 'Answer', comment: ['verb: button that opens the form'] })
			: vscode.l10n.t('Inspect run');
		const message = answerable
			? vscode.l10n.t("'{0}' is waiting for input: {1}", agent, toOneLine(title, 80))
			: vscode.l10n.t({
					message: "'{0}' is waiting. {1}",
					args: [agent, explainNotAnswerable(vscode.l10n, toOneLine(title, 80))],
					comment: ["{0} is the name of an agent, {1} is a sentence that says why the user can't answer"],
				});
		if ((await vscode.window.showInformationMessage(escapeLinks(message), open)) === open) {
			await vscode.commands.executeCommand('agentWorkbench.run.inspect', key);
		}
	}
}
