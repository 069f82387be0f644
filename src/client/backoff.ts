const firstMs = 200;
const longestMs = 8_000;

/**
 * Returns the milliseconds to wait after an attempt (counted from 1). Doubles from 200 ms to 8 s, with up to 50% jitter so that clients
 * don't retry at the same time.
 */
export function getBackoffMs(tries: number): number {
	return Math.min(longestMs, firstMs * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
}

/** Waits, or rejects with the signal's reason. Removes its timer and listener in both cases. */
export function waitMilliseconds(ms: number, signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve, reject) => {
		const cleanUp = () => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', onAbort);
		};
		const onAbort = () => {
			cleanUp();
			reject(signal!.reason);
		};
		const timer = setTimeout(() => {
			cleanUp();
			resolve();
		}, ms);
		signal?.addEventListener('abort', onAbort, { once: true });
		if (signal?.aborted) {
			onAbort();
		}
	});
}
