import type { InspectorHead } from '../inspectorMessages.ts';

/** What the time is for a run that goes on: Unix milliseconds, less what it has waited for people, as the times of its rows; `undefined` for one that does not. */
export function nowOf({ live, waitedMs }: Pick<InspectorHead, 'live' | 'waitedMs'>): number | undefined {
	return live ? Date.now() - waitedMs : undefined;
}
