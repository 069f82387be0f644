/** Returns the seconds since a `performance.now()` value, rounded to microseconds. */
export function getSecondsSince(start: number): number {
	return Math.round((performance.now() - start) * 1000) / 1_000_000;
}
