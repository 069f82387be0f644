/** Unix seconds (whole or with a fraction), or an HTTP-date-style string such as `Thu, 18 Jul 2024 03:17:40 -0000` (contract A2). */
export type Timestamp = number | string;

/** Largest distance from 1970 that dates support (ECMAScript, "Time Values"). */
const farthestMs = 8.64e15;

/** Converts a timestamp in any of the contract's forms to Unix milliseconds; `undefined` if it's none of them. */
export function toTimestampMs(value: unknown): number | undefined {
	if (typeof value === 'number') {
		return Math.abs(value * 1000) <= farthestMs ? value * 1000 : undefined;
	}
	if (typeof value !== 'string' || value.trim() === '') {
		return undefined;
	}
	// "-0000" says "UTC, zone unknown" (RFC 5322); Date.parse reads it as UTC
	const ms = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value);
	return Math.abs(ms) <= farthestMs ? ms : undefined;
}

/** Formats a time as the contract does (A2): `Thu, 18 Jul 2024 03:17:40 -0000`. */
export function toHttpDate(ms: number): string {
	return new Date(ms).toUTCString().replace('GMT', '-0000');
}
