/** Size of the range of event numbers per run: `run_events.id` is this times the run's row ID, plus the event's number. */
export const eventsOfRun = 2 ** 20;
/** Maximum number of saved events per run. If there are more, the last one is overwritten. */
export const maxEvents = eventsOfRun - 1;

/** Returns the row ID of an event. It combines run and number, which keeps the events of a run together without a separate index. */
export function getEventRowId(run: number, number: number): number {
	return run * eventsOfRun + Math.min(number, maxEvents);
}
