import type { Localization } from '#base/text/localization.ts';
import { explainNotAnswerable } from './formOutcome.ts';

/** Strings of a form for the webview, which has no translations. The page fills in `{0}`. */
export function createFormStrings(words: Localization) {
	const { t } = words;
	return {
		form: t('Form: {0}'),
		expires: t('Open until {0}'),
		expired: t('This form expired on {0}.'),
		notAnswerable: explainNotAnswerable(words, '{0}'),
		choose: t('Select…'),
		chooseFile: t('Select file…'),
		chooseFiles: t('Select files…'),
		fromWorkspace: t('From the workspace…'),
		fromAddress: t('From a URL…'),
		remove: t("Remove '{0}'"),
		noFile: t('No file chosen'),
		takes: t('Accepts {0}'),
		most: { one: t('at most 1 file'), many: t('at most {0} files') },
		largest: t('at most {0} each'),
		required: t('required'),
		missing: t("'{0}' is required."),
		tooMany: t("'{0}' has {1} files. Select at most {2}."),
		tooLong: t("'{0}' has {1} characters. Use at most {2}."),
		noNumber: t("'{0}' isn't a number."),
		noJson: t("'{0}' isn't valid JSON (line {1}, column {2})."),
		noObject: t("'{0}' isn't a JSON object. Expected { }."),
		sentBefore: t('previously sent file'),
		bytes: { b: { one: t('1 byte'), many: t('{0} bytes') }, kb: t('{0} KB'), mb: t('{0} MB') },
		sending: t('Sending answer…'),
		sent: t('Answer sent.'),
	};
}

export type FormStrings = ReturnType<typeof createFormStrings>;
