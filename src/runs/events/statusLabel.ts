import { getOwnField } from '#base/records/ownField.ts';
import type { Localization } from '#base/text/localization.ts';

type StatusLabels = Readonly<Record<string, string>>;

/** Labels of the statuses of runs, for descriptions, tooltips and screen readers. */
function getRunStatusLabels({ t }: Localization): StatusLabels {
	return {
		starting: t('starting'),
		running: t('running'),
		stopping: t('stopping'),
		succeeded: t('succeeded'),
		'partial-succeeded': t('partly succeeded'),
		failed: t('failed'),
		stopped: t('stopped'),
		paused: t('waiting for input'),
		lost: t('lost: the connection dropped before the run ended'),
	};
}

/** Labels of the statuses of nodes: those of runs, and those that only nodes have. */
export function getNodeStatusLabels(l10n: Localization): StatusLabels {
	const { t } = l10n;
	return {
		...getRunStatusLabels(l10n),
		exception: t('failed, handled'),
		waited: t('waited for input'),
		abandoned: t('abandoned'),
		unfinished: t('end not reported'),
		waiting: t('not run yet'),
		skipped: t("didn't run"),
		unknown: t('status unknown'),
	};
}

/** The label of a run's status; the status itself if it isn't known. */
export function getStatusLabel(l10n: Localization, status: string): string {
	return getOwnField(getRunStatusLabels(l10n), status) ?? status;
}
