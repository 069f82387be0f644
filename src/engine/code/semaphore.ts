/** A permit to use one of a limited number of resources. Disposing it releases the permit; disposing it again does nothing. */
type Permit = Disposable;

/** A semaphore: grants a limited number of permits in first-come order. A caller that stops waiting leaves the queue. */
export class Semaphore {
	readonly #waiting = new Set<PromiseWithResolvers<void>>();
	#free: number;
	#closed: Error | undefined;

	constructor(count: number) {
		this.#free = count;
	}

	/** Waits for a permit. Rejects with the signal's reason, or with the reason given to {@link close}. */
	async acquirePermit(signal: AbortSignal): Promise<Permit> {
		signal.throwIfAborted();
		if (this.#closed) {
			throw this.#closed;
		}
		if (this.#free > 0) {
			this.#free--;
		} else {
			await this.#waitForTurn(signal);
		}
		let held = true;
		return {
			[Symbol.dispose]: () => {
				if (held) {
					held = false;
					this.#grantNextPermit();
				}
			},
		};
	}

	/** Rejects all current and future callers. */
	close(reason: Error): void {
		this.#closed = reason;
		for (const waiting of this.#waiting) {
			waiting.reject(reason);
		}
		this.#waiting.clear();
	}

	async #waitForTurn(signal: AbortSignal): Promise<void> {
		const turn = Promise.withResolvers<void>();
		const leaveQueue = () => {
			// a caller whose turn has already come releases its permit as usual
			if (this.#waiting.delete(turn)) {
				turn.reject(signal.reason);
			}
		};
		this.#waiting.add(turn);
		signal.addEventListener('abort', leaveQueue, { once: true });
		try {
			await turn.promise;
		} finally {
			signal.removeEventListener('abort', leaveQueue);
		}
	}

	#grantNextPermit(): void {
		const [next] = this.#waiting;
		if (next) {
			this.#waiting.delete(next);
			next.resolve();
		} else {
			this.#free++;
		}
	}
}
