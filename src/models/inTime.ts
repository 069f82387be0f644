/** `fetch` whose replies have to begin within so many milliseconds. Rejects otherwise as a connection that timed out. */
export function inTime(fetch: typeof globalThis.fetch, ms: number | undefined): typeof globalThis.fetch {
	if (ms === undefined) {
		return fetch;
	}
	return async (input, init = {}) => {
		const controller = new AbortController();
		const timer = setTimeout(
			() => controller.abort(Object.assign(new Error('No reply came in time'), { code: 'UND_ERR_HEADERS_TIMEOUT' })),
			ms,
		);
		const signals = [controller.signal, ...(init.signal ? [init.signal] : [])];
		try {
			return await fetch(input, { ...init, signal: AbortSignal.any(signals) });
		} finally {
			clearTimeout(timer);
		}
	};
}
