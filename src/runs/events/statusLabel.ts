import type { Localization } from '#base/text/localization.ts';

/** Status in words, for descriptions, tooltips and screen readers. */
export function statusLabel(l10n: Localization, status: string): string {
	switch (status) {
		case 'starting':
			return l10n.t('starting');
		case 'running':
			return l10n.t('running');
		case 'stopping':
			return l10n.t('stopping');
		case 'succeeded':
			return l10n.t('succeeded');
		case 'partial-succeeded':
			return l10n.t('succeeded in part');
		case 'failed':
			return l10n.t('failed');
		case 'stopped':
			return l10n.t('stopped');
		case 'paused':
			return l10n.t('waits for an answer');
		case 'lost':
			return l10n.t('lost: the connection broke before its end');
		default:
			return status;
	}
}
