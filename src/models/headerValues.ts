/**
 * The header by which a caller is told how long to wait; none where the upstream's says nothing that can be passed on: services and proxies send
 * bytes that no header may have.
 */
export function retryAfterHeader(value: unknown): Readonly<Record<string, string>> {
	return typeof value === 'string' && /^[\t -~]+$/.test(value) ? { 'retry-after': value } : {};
}
