/** Leave to use one of a number of things; disposing gives it back, once. */
type Place = Disposable;

/** A number of places, given out in the order of asking. Who stops waiting is no longer in the queue and gets none. */
export class Places {
	readonly #waiting = new Set<PromiseWithResolvers<void>>();
	#free: number;
	#closed: Error | undefined;

	constructor(count: number) {
		this.#free = count;
	}

	/** Waits for a place. Rejects with the signal's reason, or that of {@link close}. */
	async take(signal: AbortSignal): Promise<Place> {
		signal.throwIfAborted();
		if (this.#closed) {
			throw this.#closed;
		}
		if (this.#free > 0) {
			this.#free--;
		} else {
			await this.#turn(signal);
		}
		let held = true;
		return {
			[Symbol.dispose]: () => {
				if (held) {
					held = false;
					this.#giveOn();
				}
			},
		};
	}

	/** Ends the waiting, now and later. */
	close(reason: Error): void {
		this.#closed = reason;
		for (const waiting of this.#waiting) {
			waiting.reject(reason);
		}
		this.#waiting.clear();
	}

	async #turn(signal: AbortSignal): Promise<void> {
		const turn = Promise.withResolvers<void>();
		const leave = () => {
			// one whose turn has come already gives it back as everybody does
			if (this.#waiting.delete(turn)) {
				turn.reject(signal.reason);
			}
		};
		this.#waiting.add(turn);
		signal.addEventListener('abort', leave, { once: true });
		try {
			await turn.promise;
		} finally {
			signal.removeEventListener('abort', leave);
		}
	}

	#giveOn(): void {
		const [next] = this.#waiting;
		if (next) {
			this.#waiting.delete(next);
			next.resolve();
		} else {
			this.#free++;
		}
	}
}
