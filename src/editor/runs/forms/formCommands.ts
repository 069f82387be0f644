import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import type { FormAnswerMessage } from '#runs/forms/formAnswer.ts';
import { createNotAnswerableProblem } from '#runs/forms/formOutcome.ts';
import type { RunForm } from '#runs/forms/runForm.ts';
import { isRunPaused } from '#runs/runStatus.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { escapeLinks } from '../../platform/wording.ts';
import { chooseRun } from '../following/runChoice.ts';
import { askForm } from './formQuestions.ts';
import type { RunFormAnswers } from './runFormAnswers.ts';

/** Implements the command that answers a form with quick picks and input boxes, without a page. */
export class FormCommands {
	readonly #runs: Runs;
	readonly #answers: RunFormAnswers;
	readonly handlers: CommandHandlers = {
		'agentWorkbench.run.answer': argument => this.#answerForm(argument),
	};

	constructor(runs: Runs, answers: RunFormAnswers) {
		this.#runs = runs;
		this.#answers = answers;
	}

	/** `argument` is a run's key, or a tree node of a run or form. */
	async #answerForm(argument: unknown): Promise<void> {
		const hasForms = (record: RunRecord) => isRunPaused(record) && (record.forms ?? []).length > 0;
		const record = await chooseRun(argument, this.#runs, hasForms, vscode.l10n.t('No runs are waiting for input.'));
		const form = record && (await this.#chooseForm(await this.#answers.readForms(record), getFormId(argument)));
		if (!record || !form) {
			return;
		}
		if (form.token === undefined) {
			throw createNotAnswerableProblem(vscode.l10n, form.title);
		}
		let values: FormAnswerMessage['values'] = {};
		for (;;) {
			const answer = await askForm(form, values, (field, from) => this.#answers.chooseFiles(record, form, field.name, from));
			if (!answer) {
				return;
			}
			const refusal = await this.#answers.submitAnswer(record, form, answer);
			if (!refusal) {
				return;
			}
			const again = vscode.l10n.t({
				message: 'Answer again',
				comment: ['verb: button that opens the form again after the service refused the answer'],
			});
			if ((await vscode.window.showErrorMessage(escapeLinks(refusal.problem), ...(refusal.closed ? [] : [again]))) !== again) {
				return;
			}
			values = answer.values;
		}
	}

	async #chooseForm(forms: readonly RunForm[], id: string | undefined): Promise<RunForm | undefined> {
		const named = forms.find(form => form.id === id);
		if (named || forms.length < 2) {
			if (forms.length === 0) {
				void vscode.window.showInformationMessage(vscode.l10n.t('This run is no longer waiting for input.'));
			}
			return named ?? forms[0];
		}
		const items = forms.map(form => ({ label: form.title, form }));
		return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Select a form') }))?.form;
	}
}

function getFormId(argument: unknown): string | undefined {
	const { form } = (typeof argument === 'object' && argument !== null ? argument : {}) as { form?: { id?: unknown } };
	return typeof form?.id === 'string' ? form.id : undefined;
}
