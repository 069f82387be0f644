import type { Localization } from '#base/text/localization.ts';
import { notAnswerable } from './formOutcome.ts';

/** The words of a form, translated by the host: a webview has no translations of its own. `{0}` is filled in by the page. */
export function formStrings(words: Localization) {
	const { t } = words;
	return {
		form: t('Form: {0}'),
		expires: t('Open until {0}'),
		expired: t('The time for this form is over since {0}.'),
		notAnswerable: notAnswerable(words, '{0}'),
		choose: t('Choose…'),
		chooseFile: t('Choose file…'),
		chooseFiles: t('Choose files…'),
		fromWorkspace: t('From the workspace…'),
		fromAddress: t('From an address…'),
		remove: t('Remove {0}'),
		noFile: t('No file chosen'),
		takes: t('Takes {0}'),
		most: t('at most {0} files'),
		largest: t('at most {0} each'),
		required: t('needed'),
		missing: t('“{0}” is empty: it is needed.'),
		tooMany: t('“{0}” has {1} files: at most {2} are expected.'),
		tooLong: t('“{0}” has {1} characters: at most {2} are expected.'),
		noNumber: t('“{0}” is no number.'),
		noJson: t('“{0}” is no JSON from line {1}, column {2} on.'),
		noObject: t('“{0}” is no JSON object: { } is expected.'),
		sentBefore: t('file sent before'),
		bytes: { b: t('{0} bytes'), kb: t('{0} KB'), mb: t('{0} MB') },
		sending: t('Sending the answer…'),
		sent: t('The answer was sent.'),
	};
}

export type FormStrings = ReturnType<typeof formStrings>;
