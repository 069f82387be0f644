import { getBackoffMs } from '#client/backoff.ts';

/** Called when a service asks to wait, with the end (Unix milliseconds) and the service's message. */
type WaitListener = (until: number, why: string) => void;

interface Waiting {
	/** Maximum number of concurrent runs that the caller accepts. */
	readonly limit: number;
	readonly begin: () => void;
}

/** Milliseconds of continuous rate limiting after which it counts as a failure. */
const patienceMs = 10 * 60_000;

/**
 * Limits the concurrency of a connection across all suites. After a rate limit response, no run starts before the service allows it, and
 * fewer run concurrently; each success raises the limit by one.
 */
export class ConnectionPace {
	readonly #waiting: Waiting[] = [];
	readonly #listeners = new Set<WaitListener>();
	#running = 0;
	/** Current limit after rate limit responses. */
	#allowed = Number.POSITIVE_INFINITY;
	/** From `performance.now()`, like all times here, because the clock can be set. */
	#heldUntil = 0;
	#refusals = 0;
	#refusedSince: number | undefined;
	#timer: NodeJS.Timeout | undefined;

	/** Waits for a slot among `limit` runs of this connection; disposing releases it. Rejects with the signal's reason. */
	async acquireSlot(limit: number, signal?: AbortSignal): Promise<Disposable> {
		signal?.throwIfAborted();
		if (this.#waiting.length > 0 || !this.#hasRoom(limit)) {
			await this.#waitForTurn(limit, signal);
		} else {
			this.#running++;
		}
		let held = true;
		return {
			[Symbol.dispose]: () => {
				if (held) {
					held = false;
					this.#running--;
					this.#startNextWaiting();
				}
			},
		};
	}

	/** True if a caller with this limit can start now. */
	#hasRoom(limit: number): boolean {
		return this.#running < Math.min(limit, this.#allowed) && this.#heldUntil <= performance.now();
	}

	/** Waits in the queue until a slot is assigned. */
	async #waitForTurn(limit: number, signal: AbortSignal | undefined): Promise<void> {
		const turn = Promise.withResolvers<void>();
		const waiting: Waiting = { limit, begin: turn.resolve };
		const leaveQueue = () => {
			const at = this.#waiting.indexOf(waiting);
			if (at >= 0) {
				this.#waiting.splice(at, 1);
				turn.reject(signal!.reason);
			}
		};
		this.#waiting.push(waiting);
		signal?.addEventListener('abort', leaveQueue, { once: true });
		this.#startNextWaiting();
		try {
			await turn.promise;
		} finally {
			signal?.removeEventListener('abort', leaveQueue);
		}
	}

	/**
	 * Handles a rate limit response (429, 529) with an optional wait. Returns true if the call should be retried: false if that would be
	 * after ten minutes of continuous rate limiting.
	 */
	onRateLimit(retryAfterMs: number | undefined, why: string): boolean {
		const now = performance.now();
		this.#refusedSince ??= now;
		// concurrent rate limit responses count once
		const isFirst = now >= this.#heldUntil;
		const waitMs = retryAfterMs ?? getBackoffMs(this.#refusals + (isFirst ? 1 : 0));
		if (now + waitMs - this.#refusedSince > patienceMs) {
			return false;
		}
		if (isFirst) {
			this.#refusals++;
			this.#allowed = Math.max(1, Math.floor(Math.min(this.#allowed, this.#running) / 2));
		}
		const until = now + waitMs;
		if (until > this.#heldUntil) {
			this.#heldUntil = until;
			for (const listener of this.#listeners) {
				listener(Date.now() + waitMs, why);
			}
		}
		return true;
	}

	onSuccess(): void {
		this.#refusals = 0;
		this.#refusedSince = undefined;
		this.#allowed++;
	}

	/** Adds a listener for waits. */
	addWaitListener(listener: WaitListener): Disposable {
		this.#listeners.add(listener);
		return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
	}

	#startNextWaiting(): void {
		clearTimeout(this.#timer);
		const heldMs = this.#heldUntil - performance.now();
		if (heldMs > 0) {
			// timers can fire a fraction of a millisecond early, and are limited to 2^31 - 1 ms
			this.#timer = setTimeout(() => this.#startNextWaiting(), Math.min(heldMs + 1, 2 ** 31 - 1));
			return;
		}
		for (let first = this.#waiting[0]; first && this.#running < Math.min(first.limit, this.#allowed); first = this.#waiting[0]) {
			this.#waiting.shift();
			this.#running++;
			first.begin();
		}
	}
}
