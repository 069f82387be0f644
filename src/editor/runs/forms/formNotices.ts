import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { notAnswerable } from '#runs/forms/formOutcome.ts';
import { isPaused } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { oneLine, withoutLinks } from '../../platform/wording.ts';
import type { RunRecords } from '../history/runRecords.ts';

/** Says, once, that a run of this window waits for an answer. One that waited before the window opened is not told of again: the tree has it. */
export class FormNotices extends DisposableBase {
	readonly #records: RunRecords;
	/** Forms that were told of, by their runs. */
	readonly #told = new Map<string, ReadonlySet<string>>();

	constructor(records: RunRecords) {
		super();
		this.#records = records;
		for (const record of records.list().filter(isPaused)) {
			this.#remember(record);
		}
		this.own(records.onDidChange(record => this.#changed(record)));
		this.own(records.onDidRemove(keys => this.#forget(keys)));
	}

	#forget(keys: readonly string[]): void {
		for (const key of keys) {
			this.#told.delete(key);
		}
	}

	#changed(record: RunRecord): void {
		const told = this.#told.get(record.key);
		if (!isPaused(record) || !this.#records.isOwn(record.key)) {
			return;
		}
		const [form] = (record.forms ?? []).filter(({ id }) => !told?.has(id));
		this.#remember(record);
		if (form) {
			void this.#tell(record, form.title, form.answerable);
		}
	}

	#remember({ key, forms = [] }: RunRecord): void {
		this.#told.set(key, new Set([...(this.#told.get(key) ?? []), ...forms.map(({ id }) => id)]));
	}

	async #tell({ key, agent }: RunRecord, title: string, answerable: boolean): Promise<void> {
		const open = answerable ? vscode.l10n.t('Answer') : vscode.l10n.t('Inspect Run');
		const sentence = answerable
			? vscode.l10n.t('{0} waits for you: {1}', agent, oneLine(title, 80))
			: vscode.l10n.t('{0} waits. {1}', agent, notAnswerable(vscode.l10n, oneLine(title, 80)));
		if ((await vscode.window.showInformationMessage(withoutLinks(sentence), open)) === open) {
			await vscode.commands.executeCommand('agentWorkbench.run.inspect', key);
		}
	}
}
