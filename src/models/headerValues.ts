/** Returns the `retry-after` header for the caller; none if the upstream's value contains bytes that aren't allowed in headers. */
export function createRetryAfterHeader(value: unknown): Readonly<Record<string, string>> {
	return typeof value === 'string' && /^[\t -~]+$/.test(value) ? { 'retry-after': value } : {};
}
