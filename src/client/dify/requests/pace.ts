import { ServiceError } from '../../errors/serviceError.ts';

const windowMs = 60_000;
const longestHoldMs = 60_000;

/** Says how long requests must wait so that a deployment's limit is never met; counts nothing by timers. */
export class Pace {
	readonly #perMinute: number;
	readonly #now: () => number;
	readonly #sent: number[] = [];
	#heldUntil = 0;

	/** @param perMinute requests in any minute; infinite for no limit. `now` in milliseconds. */
	constructor(perMinute: number, now: () => number = () => performance.now()) {
		this.#perMinute = perMinute;
		this.#now = now;
	}

	/** Milliseconds until the next request may leave; 0 counts it as sent. Throws `rate-limited` where the deployment asked for more than a minute. */
	take(): number {
		const now = this.#now();
		const held = this.#heldUntil - now;
		if (held > longestHoldMs) {
			const seconds = Math.ceil(held / 1000);
			const message = `Dify has asked for a pause: its limit of requests is used up. Try again in ${seconds} s.`;
			throw new ServiceError('rate-limited', message, { retryAfterMs: held });
		}
		while (this.#sent.length > 0 && this.#sent[0]! <= now - windowMs) {
			this.#sent.shift();
		}
		const full = this.#sent.length >= this.#perMinute ? this.#sent[this.#sent.length - this.#perMinute]! + windowMs - now : 0;
		const waits = Math.max(held, full, 0);
		if (waits === 0 && Number.isFinite(this.#perMinute)) {
			this.#sent.push(now);
		}
		return waits;
	}

	/** Nothing is to leave for these milliseconds: the deployment said so. */
	hold(ms: number): void {
		this.#heldUntil = Math.max(this.#heldUntil, this.#now() + ms);
	}
}
