import type { Localization } from '#base/text/localization.ts';
import { formStrings } from '#runs/forms/formStrings.ts';

/** The words of a form for inputs, translated by the host: a webview has no translations of its own. `{0}` is filled in by the page. */
export function inputsStrings(l10n: Localization) {
	const { t } = l10n;
	return {
		...formStrings(l10n),
		title: t('Run {0}'),
		draft: t('draft'),
		none: t('This agent takes no inputs.'),
		run: t('Run'),
		runHint: t('Run (Ctrl+Enter)'),
		save: t('Save as run file…'),
		reset: t('Reset'),
		resetHint: t('Fill in the defaults of the agent again'),
		starting: t('Starting the run…'),
		inspect: t('Inspect run'),
	};
}

export type InputsStrings = ReturnType<typeof inputsStrings>;
