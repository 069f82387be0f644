import timers from 'node:timers/promises';
import { getErrorReason } from '#base/problems.ts';
import type { RetryWait } from '#pages/chat/transcript/transcript.ts';
import { getServiceFacts } from './failures.ts';

/** Maximum number of automatic retries of one request. */
const mostRetries = 3;
/** Longest wait for an automatic retry, in milliseconds. With a longer one, the request fails at once, because users rarely wait that long. */
const longestMs = 120_000;
/** Wait before the first retry if the service names none, in milliseconds. Doubles with each retry. */
const usualMs = 5000;

/** Waits before a request is sent again. `retryNow` ends the wait. */
export class AutomaticRetry {
	#retries = 0;
	#skip = new AbortController();

	/** Returns the wait before the request is sent again after this error, or undefined if it shouldn't be. */
	planRetry(error: unknown): (RetryWait & { readonly ms: number }) | undefined {
		const reason = getErrorReason(error);
		const { retryAfterMs, code } = getServiceFacts(error);
		const retries = reason === 'rate-limited' ? code !== 'insufficient_quota' : reason === 'overloaded' && retryAfterMs !== undefined;
		const ms = retryAfterMs ?? usualMs * 2 ** this.#retries;
		if (!retries || this.#retries >= mostRetries || ms > longestMs) {
			return undefined;
		}
		this.#retries++;
		return { reason: reason === 'rate-limited' ? reason : 'overloaded', at: Date.now() + ms, retry: this.#retries, of: mostRetries, ms };
	}

	/** Waits until the time has passed or `retryNow` is called. Rejects if the signal is aborted. */
	async wait(ms: number, signal: AbortSignal): Promise<void> {
		this.#skip = new AbortController();
		const skipped = this.#skip.signal;
		await timers.setTimeout(ms, undefined, { signal: AbortSignal.any([signal, skipped]) }).catch((error: unknown) => {
			if (!skipped.aborted) {
				throw error;
			}
		});
	}

	/** Ends the current wait. */
	retryNow(): void {
		this.#skip.abort();
	}
}
