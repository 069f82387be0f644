import type { InspectorHead } from '../inspectorMessages.ts';

/** Returns the current time of a running run in Unix milliseconds minus its waiting time, as in its rows; undefined if it has ended. */
export function getRunTime({ live, waitedMs }: Pick<InspectorHead, 'live' | 'waitedMs'>): number | undefined {
	return live ? Date.now() - waitedMs : undefined;
}
