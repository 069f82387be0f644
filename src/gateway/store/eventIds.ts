/** Numbers of events that each run has for itself: `run_events.id` is this many times the run's row ID, and the event's number. */
export const eventsOfRun = 2 ** 20;
/** Events that are kept of one run; of more, the last one stands for those after it. */
export const maxEvents = eventsOfRun - 1;

/** One number for run and event keeps the events of a run together without an index of their own. */
export function eventId(run: number, number: number): number {
	return run * eventsOfRun + Math.min(number, maxEvents);
}
