import { getErrorMessage, getErrorReason, Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { formRefusals } from '#contract/humanInput.ts';

/** Why an answer was refused. `closed`: no further answers are accepted. */
export interface FormRefusal {
	readonly problem: string;
	readonly closed: boolean;
}

/** Copy of the contract's error codes, because importing them would load the contract's schemas. */
const refusals = {
	invalid: 'invalid_form_data',
	submitted: 'human_input_form_submitted',
	expired: 'human_input_form_expired',
} as const satisfies typeof formRefusals;

/** Explains why a service refused an answer. `explain`: adds the connection's advice to an error. */
export function explainFormRefusal(words: Localization, error: unknown, explain: (error: unknown) => unknown): FormRefusal {
	switch ((error as { code?: unknown } | null)?.code) {
		case refusals.submitted:
			return { problem: words.t('This form has already been answered. The run continues with that answer.'), closed: true };
		case refusals.expired:
			return { problem: words.t('This form has expired and can no longer be answered.'), closed: true };
		case refusals.invalid:
			return {
				problem: words.t("Your answer wasn't accepted, but the form still contains it. {0}", getErrorMessage(error)),
				closed: false,
			};
		default:
			return getErrorReason(error) === 'not-found'
				? { problem: words.t('The service no longer has this form. The run may have ended.'), closed: true }
				: {
						problem: words.t("Couldn't send your answer, but the form still contains it. {0}", getErrorMessage(explain(error))),
						closed: false,
					};
	}
}

/** Explains why a form without a token can't be answered. */
export function explainNotAnswerable(words: Localization, title: string): string {
	return words.t("'{0}' can't be answered here. The service asks for input in another way, for example by email.", title);
}

export function createNotAnswerableProblem(words: Localization, title: string): Problem {
	return new Problem('not-answerable', explainNotAnswerable(words, title));
}
