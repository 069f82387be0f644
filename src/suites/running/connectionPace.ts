import { backoffMs } from '#client/backoff.ts';

/** Told when a service asks to wait: until when (Unix milliseconds), and in which words. */
type WaitListener = (until: number, why: string) => void;

interface Waiting {
	/** Runs at a time that the one who waits agrees to. */
	readonly limit: number;
	readonly begin: () => void;
}

/** Milliseconds that a service may refuse everything before its refusals count as failures. */
const patienceMs = 10 * 60_000;

/**
 * How fast a connection is driven: how much runs at a time, all suites together, and from when on. Where the service refuses for its limits, nobody
 * starts before it allows that, and fewer at a time than before; each success lets one more.
 */
export class ConnectionPace {
	readonly #waiting: Waiting[] = [];
	readonly #listeners = new Set<WaitListener>();
	#running = 0;
	/** Fewer than anybody asks for, after a refusal. */
	#allowed = Number.POSITIVE_INFINITY;
	#heldUntil = 0;
	#refusals = 0;
	#refusedSince: number | undefined;
	#timer: NodeJS.Timeout | undefined;

	/** Waits for a place among `limit` runs of this connection; disposing gives it back. Rejects with the signal's reason. */
	async take(limit: number, signal?: AbortSignal): Promise<Disposable> {
		signal?.throwIfAborted();
		if (this.#waiting.length > 0 || !this.#hasPlace(limit)) {
			await this.#turn(limit, signal);
		} else {
			this.#running++;
		}
		let held = true;
		return {
			[Symbol.dispose]: () => {
				if (held) {
					held = false;
					this.#running--;
					this.#next();
				}
			},
		};
	}

	/** Whether one who agrees to `limit` runs at a time can begin now. */
	#hasPlace(limit: number): boolean {
		return this.#running < Math.min(limit, this.#allowed) && this.#heldUntil <= Date.now();
	}

	/** Waits in the queue; with its turn comes the place. */
	async #turn(limit: number, signal: AbortSignal | undefined): Promise<void> {
		const turn = Promise.withResolvers<void>();
		const waiting: Waiting = { limit, begin: turn.resolve };
		const leave = () => {
			const at = this.#waiting.indexOf(waiting);
			if (at >= 0) {
				this.#waiting.splice(at, 1);
				turn.reject(signal!.reason);
			}
		};
		this.#waiting.push(waiting);
		signal?.addEventListener('abort', leave, { once: true });
		this.#next();
		try {
			await turn.promise;
		} finally {
			signal?.removeEventListener('abort', leave);
		}
	}

	/**
	 * The service refused for its limits (429, 529) and asks to wait this long, where it says so. Returns whether to try again: not where it has refused
	 * everything for ten minutes.
	 */
	refused(retryAfterMs: number | undefined, why: string): boolean {
		const now = Date.now();
		this.#refusedSince ??= now;
		if (now - this.#refusedSince > patienceMs) {
			return false;
		}
		if (now >= this.#heldUntil) {
			// of those that were refused together, the first tells for all
			this.#refusals++;
			this.#allowed = Math.max(1, Math.floor(Math.min(this.#allowed, this.#running) / 2));
		}
		const until = now + (retryAfterMs ?? backoffMs(this.#refusals));
		if (until > this.#heldUntil) {
			this.#heldUntil = until;
			for (const listener of this.#listeners) {
				listener(until, why);
			}
		}
		return true;
	}

	/** A run went through. */
	succeeded(): void {
		this.#refusals = 0;
		this.#refusedSince = undefined;
		this.#allowed++;
	}

	/** Tells of waits until it is disposed. */
	onWait(listener: WaitListener): Disposable {
		this.#listeners.add(listener);
		return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
	}

	#next(): void {
		clearTimeout(this.#timer);
		const heldMs = this.#heldUntil - Date.now();
		if (heldMs > 0) {
			// timers come early by a part of a millisecond, and take no more than 2^31 of them
			this.#timer = setTimeout(() => this.#next(), Math.min(heldMs + 1, 2 ** 31 - 1));
			return;
		}
		for (let first = this.#waiting[0]; first && this.#running < Math.min(first.limit, this.#allowed); first = this.#waiting[0]) {
			this.#waiting.shift();
			this.#running++;
			first.begin();
		}
	}
}
