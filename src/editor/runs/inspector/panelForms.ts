import { getErrorMessage, isCancellation } from '#base/problems.ts';
import type { FromInspector, FromInspectorHost } from '#pages/inspector/inspectorMessages.ts';
import type { RunForm } from '#runs/forms/runForm.ts';
import { isRunPaused } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { RunFormAnswers } from '../forms/runFormAnswers.ts';

interface FormsRun {
	readonly record: RunRecord | undefined;
	readonly forms: readonly RunForm[];
}

/** Sends the forms of a panel's run to its page, and submits the page's answers. */
export class PanelForms {
	readonly #answers: RunFormAnswers;
	readonly #post: (message: FromInspectorHost) => void;
	/** True if a form should get the focus once the page has one. */
	#isFocusRequested = false;
	/** IDs of the forms that the page shows, as JSON. */
	#sent = '';

	constructor(answers: RunFormAnswers, post: (message: FromInspectorHost) => void) {
		this.#answers = answers;
		this.#post = post;
	}

	/** Handles a reload of the page, which has no forms after it. */
	onPageReset(): void {
		this.#sent = '';
	}

	/** Handles a change of the shown run. */
	onRunChange(): void {
		this.#isFocusRequested = false;
	}

	/** Requests the focus for the form that the run is waiting for, if any. The next {@link sendForms} sets it. */
	requestFocus({ record }: FormsRun): void {
		this.#isFocusRequested = record !== undefined && isRunPaused(record);
	}

	/** Sends the current forms to the page if they have changed, and the focus if it was requested. */
	sendForms({ forms }: FormsRun): void {
		const ids = JSON.stringify(forms.map(({ id }) => id));
		if (ids !== (this.#sent || '[]')) {
			this.#sent = ids;
			this.#post({ type: 'forms', forms });
		}
		if (this.#isFocusRequested && forms.length > 0) {
			this.#isFocusRequested = false;
			this.#post({ type: 'focusForm' });
		}
	}

	async submitAnswer(run: FormsRun, { form: id, action, values }: Extract<FromInspector, { type: 'answerForm' }>): Promise<void> {
		const refusal = await this.#runOnForm(run, id, (record, form) => this.#answers.submitAnswer(record, form, { action, values }));
		if (refusal) {
			this.#post({ type: 'formProblem', form: id, ...refusal });
		}
	}

	async chooseFiles(run: FormsRun, { form: id, field, from }: Extract<FromInspector, { type: 'chooseFormFiles' }>): Promise<void> {
		const files = await this.#runOnForm(run, id, (record, form) => this.#answers.chooseFiles(record, form, field, from));
		if (files && files.length > 0) {
			this.#post({ type: 'formFiles', form: id, field, files });
		}
	}

	/** Runs an action on a form of the run. Shows errors in the form. */
	async #runOnForm<T>(
		{ record, forms }: FormsRun,
		id: string,
		act: (record: RunRecord, form: RunForm) => Promise<T>,
	): Promise<T | undefined> {
		const form = forms.find(each => each.id === id);
		try {
			return record && form && (await act(record, form));
		} catch (error) {
			if (!isCancellation(error)) {
				this.#post({ type: 'formProblem', form: id, problem: getErrorMessage(error), closed: false });
			}
			return undefined;
		}
	}
}
