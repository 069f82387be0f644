/** Seconds since a `performance.now()`, rounded to microseconds. */
export function secondsSince(start: number): number {
	return Math.round((performance.now() - start) * 1000) / 1_000_000;
}
