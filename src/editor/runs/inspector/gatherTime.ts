/** Milliseconds during which changes are collected into one message, because a run can send thousands of events per second. */
const leastMs = 50;
/** Number of rows that a page can look at in a millisecond, with time left for the user. */
const rowsPerMs = 50;

/** Returns the milliseconds during which changes of a run are collected. The more rows it has, the longer a page takes for a message. */
export function getGatherMs(rows: readonly unknown[]): number {
	return Math.max(leastMs, rows.length / rowsPerMs);
}
