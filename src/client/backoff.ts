const firstMs = 200;
const longestMs = 8_000;

/** Milliseconds to wait after the given try (from 1): doubling from 200 ms to 8 s, jittered down to half so that clients spread. */
export function backoffMs(tries: number): number {
	return Math.min(longestMs, firstMs * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
}

/** Waits, or rejects with the signal's reason; leaves neither timer nor listener behind. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve, reject) => {
		const over = () => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', aborted);
		};
		const aborted = () => {
			over();
			reject(signal!.reason);
		};
		const timer = setTimeout(() => {
			over();
			resolve();
		}, ms);
		signal?.addEventListener('abort', aborted, { once: true });
		if (signal?.aborted) {
			aborted();
		}
	});
}
