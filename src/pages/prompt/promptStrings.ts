import type { Localization } from '#base/text/localization.ts';
import { getPanelStrings } from '../chat/panel/panelStrings.ts';

/** Maximum number of models side by side. */
export const mostColumns = 4;

/** Strings of the playground, translated by the host because webviews have no translations. The page fills in `{0}`. */
export function getPromptStrings(l10n: Localization) {
	const { t } = l10n;
	return {
		// answers are described as in the chat
		answers: getPanelStrings(l10n),
		prompt: t('Prompt'),
		models: t('Models'),
		goToSource: t('Go to source'),
		runAll: t('Run all'),
		runAllHint: t('Run with all models (Ctrl+Enter)'),
		stopAll: t('Stop all'),
		addModel: t('Add model…'),
		mostModels: t('Up to four models can be compared.'),
		noModels: t('No model yet'),
		noModelsHelp: t('Add one to four models to see their answers to this prompt side by side.'),
		notRun: t('Not run yet. Press Ctrl+Enter to run all models.'),
		pick: t('Change model'),
		remove: t("Remove '{0}'"),
		run: t({ message: 'Run', comment: ['verb: button that starts a run'] }),
		stop: t('Stop'),
		tryAgain: t('Try again'),
		compare: t('Compare with another answer'),
		copyAnswer: t('Copy answer'),
		apply: t('Apply to agent'),
		applyHint: t("Write the messages, this model and the parameters to '{0}'"),
		addToSuite: t('Add to suite…'),
		addToSuiteHint: t('Add this prompt as a test case that expects a similar answer'),
		done: t('{0} answered.'),
		failed: t("{0} couldn't answer."),
		answerOf: t('Answer of {0}'),
		role: t('Role'),
		roles: { system: t('System'), user: t('User'), assistant: t('Assistant') },
		message: t({ message: '{0} message', comment: ['{0} is a role: system, user or assistant'] }),
		addMessage: t('Add message'),
		removeMessage: t('Remove message'),
		fixed: {
			jinja: t('A Jinja template, shown as it was sent. Changes apply only here.'),
			sent: t('Added during the run, for example by memory. Changes apply only here.'),
		},
		messageHint: t('Enter the message to send to the models'),
		variables: t('Variables'),
		variablesHelp: t('Values for this prompt. They come from the last run and can be changed here.'),
		parameters: t('Parameters'),
		parameterNames: {
			temperature: t('Temperature'),
			topP: 'top_p',
			topK: 'top_k',
			maxTokens: t('Maximum tokens'),
		},
		stopTexts: t('Text that stops the reply, one entry per line.'),
		unset: t('service default'),
	};
}

export type PromptStrings = ReturnType<typeof getPromptStrings>;
