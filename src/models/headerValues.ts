/** Returns the `retry-after` header for the caller, or no header if the upstream's value is neither a number of seconds nor a date. */
export function createRetryAfterHeader(value: unknown): Readonly<Record<string, string>> {
	return typeof value === 'string' && /^(?:[\d.]{1,20}|[a-z]{3}, [\w :-]{1,40})$/i.test(value) ? { 'retry-after': value } : {};
}
