import type { IncomingHttpHeaders } from 'node:http';

/** A day. Some services ask to wait for years, or for a number of seconds that has hundreds of digits. */
const longestMs = 86_400_000;

const decimal = /^\s*\d+(\.\d+)?\s*$/;

/**
 * Reads `retry-after-ms`, or `retry-after` in seconds or as a date (wire facts 2.3), or else uses the wait from the body. A delay that has
 * already passed counts as none.
 */
export function readRetryAfterMs(headers: IncomingHttpHeaders, ofBody: number | undefined): number | undefined {
	const wait = readHeaders(headers) ?? ofBody;
	return wait === undefined ? undefined : Math.min(wait, longestMs);
}

function readHeaders({ 'retry-after-ms': exact, 'retry-after': value = '' }: IncomingHttpHeaders): number | undefined {
	if (typeof exact === 'string' && decimal.test(exact) && Number(exact) > 0) {
		return Number(exact);
	}
	const ms = decimal.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
	return ms > 0 ? ms : undefined;
}
