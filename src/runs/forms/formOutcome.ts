import { messageOf, Problem, reasonOf } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { formRefusals } from '#contract/humanInput.ts';

/** Why an answer was not taken, in a sentence; `closed`: no other will be taken either. */
export interface FormRefusal {
	readonly problem: string;
	readonly closed: boolean;
}

/** Named here too: the protocol's module brings its schemas along. */
const refusals = {
	invalid: 'invalid_form_data',
	submitted: 'human_input_form_submitted',
	expired: 'human_input_form_expired',
} as const satisfies typeof formRefusals;

/** What it means that a service did not take an answer. `explain`: the error as its connection tells it. */
export function formRefusal(words: Localization, error: unknown, explain: (error: unknown) => unknown): FormRefusal {
	switch ((error as { code?: unknown } | null)?.code) {
		case refusals.submitted:
			return { problem: words.t('This form has already been answered. The run continues with that answer.'), closed: true };
		case refusals.expired:
			return { problem: words.t('This form has expired and can no longer be answered.'), closed: true };
		case refusals.invalid:
			return { problem: words.t("Your answer wasn't accepted, but it's still here. {0}", messageOf(error)), closed: false };
		default:
			return reasonOf(error) === 'not-found'
				? { problem: words.t('The service no longer has this form. The run may have ended.'), closed: true }
				: { problem: words.t("Couldn't send your answer, but it's still here. {0}", messageOf(explain(error))), closed: false };
	}
}

/** Why there is nothing to fill in, for a form without a token. */
export function notAnswerable(words: Localization, title: string): string {
	return words.t("'{0}' can't be answered here. The service asks for input in another way, for example by email.", title);
}

/** The error for a form without a token. */
export function notAnswerableProblem(words: Localization, title: string): Problem {
	return new Problem('not-answerable', notAnswerable(words, title));
}
