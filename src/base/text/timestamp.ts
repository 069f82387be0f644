/** Unix milliseconds of the end of the year 9999. Later times have another format, and arithmetic with them fails. */
const end = 253_402_300_799_999;

/**
 * True if a value is a date that can be read, from 1970 on.
 *
 * @param latest Unix milliseconds of the latest date that is accepted
 */
export function isTimestamp(value: unknown, latest = end): value is string {
	const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
	return time >= 0 && time <= Math.min(latest, end);
}
