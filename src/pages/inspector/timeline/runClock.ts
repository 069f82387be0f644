import type { InspectorHead } from '../inspectorMessages.ts';
import type { ShownMoment } from '../moments/shownMoment.ts';

/**
 * Returns the time of the shown moment, or the current time of a running run, in Unix milliseconds minus its waiting time, as in its rows;
 * undefined if the run has ended.
 */
export function getRunTime({
	head: { live, waitedMs },
	moment,
}: {
	readonly head: Pick<InspectorHead, 'live' | 'waitedMs'>;
	readonly moment?: Pick<ShownMoment, 'at'>;
}): number | undefined {
	return moment ? moment.at : live ? Date.now() - waitedMs : undefined;
}
