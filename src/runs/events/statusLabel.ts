import { ownField } from '#base/records/ownField.ts';
import type { Localization } from '#base/text/localization.ts';

/** Labels by status. */
type StatusLabels = Readonly<Record<string, string>>;

/** Labels of the statuses of runs, for descriptions, tooltips and screen readers. */
function runStatusLabels({ t }: Localization): StatusLabels {
	return {
		starting: t('starting'),
		running: t('running'),
		stopping: t('stopping'),
		succeeded: t('succeeded'),
		'partial-succeeded': t('succeeded in part'),
		failed: t('failed'),
		stopped: t('stopped'),
		paused: t('waits for an answer'),
		lost: t('lost: the connection broke before its end'),
	};
}

/** Labels of the statuses of nodes: those of runs, and what only a node can be. */
export function nodeStatusLabels(l10n: Localization): StatusLabels {
	const { t } = l10n;
	return {
		...runStatusLabels(l10n),
		exception: t('failed, handled'),
		waited: t('waited for an answer'),
		abandoned: t('no longer waited for'),
		unfinished: t('its end was not told'),
		waiting: t('not run yet'),
		skipped: t('did not run'),
		unknown: t('not known whether it ran'),
	};
}

/** The label of a run's status; the status itself if it isn't known. */
export function statusLabel(l10n: Localization, status: string): string {
	return ownField(runStatusLabels(l10n), status) ?? status;
}
