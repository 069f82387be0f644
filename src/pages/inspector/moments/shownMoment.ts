import type { TimelineRow } from '#runs/events/timeline.ts';
import type { TimelineMoment } from '#runs/events/timelineHistory.ts';

/** A past moment of the run, which the page shows instead of the present. */
export interface ShownMoment extends Pick<TimelineMoment, 'place' | 'at'> {
	/** Number of the moment, from 1. */
	readonly number: number;
	/** Time since the start of the first row, in milliseconds. */
	readonly elapsedMs: number;
	/** The row that the moment is about: the last one that it changed. */
	readonly row: TimelineRow | undefined;
	/** All rows of the present, for the time range. */
	readonly presentRows: ReadonlyMap<string, TimelineRow>;
}
