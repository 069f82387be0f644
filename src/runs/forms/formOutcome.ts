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
			return { problem: words.t('Somebody has answered this form already. The run goes on with that answer.'), closed: true };
		case refusals.expired:
			return { problem: words.t('The time for this form is over: no answer is taken any more.'), closed: true };
		case refusals.invalid:
			return { problem: words.t('The answer was not taken, and is kept here. {0}', messageOf(error)), closed: false };
		default:
			return reasonOf(error) === 'not-found'
				? { problem: words.t('The service no longer knows this form: the run may have ended.'), closed: true }
				: { problem: words.t('The answer could not be sent, and is kept here. {0}', messageOf(explain(error))), closed: false };
	}
}

/** Why there is nothing to fill in, for a form without a token. */
export function notAnswerable(words: Localization, title: string): string {
	return words.t('“{0}” cannot be answered here: its service asks people in other ways, such as by mail.', title);
}

/** The error for a form without a token. */
export function notAnswerableProblem(words: Localization, title: string): Problem {
	return new Problem('not-answerable', notAnswerable(words, title));
}
