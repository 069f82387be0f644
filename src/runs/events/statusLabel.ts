import { getOwnField } from '#base/records/ownField.ts';
import type { Localization } from '#base/text/localization.ts';

type StatusLabels = Readonly<Record<string, string>>;

/** Returns the labels of run statuses, for descriptions, tooltips and screen readers. */
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

/** Returns the labels of node statuses, which include those of runs. */
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

/** Returns the label of a run's status. An unknown status is its own label. */
export function getStatusLabel(l10n: Localization, status: string): string {
	return getOwnField(getRunStatusLabels(l10n), status) ?? status;
}
