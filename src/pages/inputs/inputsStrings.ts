import type { Localization } from '#base/text/localization.ts';
import { createFormStrings } from '#runs/forms/formStrings.ts';

/** Strings of the inputs form, translated by the host because webviews have no translations. The page fills in `{0}`. */
export function getInputsStrings(l10n: Localization) {
	const { t } = l10n;
	return {
		...createFormStrings(l10n),
		title: t({ message: 'Run {0}', comment: ['verb: heading of a form; {0} is the name of an agent'] }),
		draft: t('draft'),
		none: t('This agent takes no inputs.'),
		run: t({ message: 'Run', comment: ['verb: button that starts a run'] }),
		runHint: t('Run (Ctrl+Enter)'),
		save: t('Save as run file…'),
		reset: t('Reset'),
		resetHint: t("Restore the agent's default values"),
		starting: t('Starting the run…'),
		inspect: t('Inspect run'),
	};
}

export type InputsStrings = ReturnType<typeof getInputsStrings>;
