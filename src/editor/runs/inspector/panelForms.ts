import { isCancellation, messageOf } from '#base/problems.ts';
import type { FromInspector, FromInspectorHost } from '#pages/inspector/inspectorMessages.ts';
import type { RunForm } from '#runs/forms/runForm.ts';
import { isPaused } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { RunFormAnswers } from '../forms/runFormAnswers.ts';

/** A run as far as its forms go. */
interface FormsRun {
	readonly record: RunRecord | undefined;
	readonly forms: readonly RunForm[];
}

/** The forms of the run that a panel shows: sent to the page as they come and go, answered as it says. */
export class PanelForms {
	readonly #answers: RunFormAnswers;
	readonly #post: (message: FromInspectorHost) => void;
	/** The user came to fill in a form, and the page has none yet. */
	#wanted = false;
	/** IDs of the forms that the page has. */
	#sent = '';

	constructor(answers: RunFormAnswers, post: (message: FromInspectorHost) => void) {
		this.#answers = answers;
		this.#post = post;
	}

	/** The page begins anew, without any. */
	begin(): void {
		this.#sent = '';
	}

	/** Another run is shown. */
	leave(): void {
		this.#wanted = false;
	}

	/** The user came to fill in a form, if the run waits for one. */
	want({ record }: FormsRun): void {
		this.#wanted = record !== undefined && isPaused(record);
	}

	/** Tells the page of forms that came or went, and where the focus is wanted. */
	send({ forms }: FormsRun): void {
		const ids = JSON.stringify(forms.map(({ id }) => id));
		if (ids !== (this.#sent || '[]')) {
			this.#sent = ids;
			this.#post({ type: 'forms', forms });
		}
		if (this.#wanted && forms.length > 0) {
			this.#wanted = false;
			this.#post({ type: 'focusForm' });
		}
	}

	async answer(run: FormsRun, { form: id, action, values }: Extract<FromInspector, { type: 'answerForm' }>): Promise<void> {
		const refusal = await this.#with(run, id, (record, form) => this.#answers.answer(record, form, { action, values }));
		if (refusal) {
			this.#post({ type: 'formProblem', form: id, ...refusal });
		}
	}

	async chooseFiles(run: FormsRun, { form: id, field, from }: Extract<FromInspector, { type: 'chooseFormFiles' }>): Promise<void> {
		const files = await this.#with(run, id, (record, form) => this.#answers.files(record, form, field, from));
		if (files && files.length > 0) {
			this.#post({ type: 'formFiles', form: id, field, files });
		}
	}

	/** Does something with a form of the run; what goes wrong is told where the form stands. */
	async #with<T>({ record, forms }: FormsRun, id: string, act: (record: RunRecord, form: RunForm) => Promise<T>): Promise<T | undefined> {
		const form = forms.find(each => each.id === id);
		try {
			return record && form && (await act(record, form));
		} catch (error) {
			if (!isCancellation(error)) {
				this.#post({ type: 'formProblem', form: id, problem: messageOf(error), closed: false });
			}
			return undefined;
		}
	}
}
