import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceError } from '../../errors/serviceError.ts';

const windowMs = 60_000;
const longestHoldMs = 60_000;
/** A deployment that asks for more, perhaps by mistake, is asked again after an hour. */
const longestBlockMs = 3_600_000;

/** Calculates how long requests must wait to stay under a deployment's limit, without timers. */
export class Pace {
	readonly #perMinute: number;
	readonly #now: () => number;
	readonly #sent: number[] = [];
	#heldUntil = 0;

	/**
	 * @param perMinute requests per minute; infinite for no limit
	 * @param now returns milliseconds
	 */
	constructor(perMinute: number, now: () => number = () => performance.now()) {
		this.#perMinute = perMinute;
		this.#now = now;
	}

	/**
	 * Returns the milliseconds until the next request may be sent. If that's 0, the request counts as sent. Throws `rate-limited` if the
	 * deployment asked to wait more than a minute.
	 */
	takeTurn(): number {
		const now = this.#now();
		const held = this.#heldUntil - now;
		if (held > longestHoldMs) {
			const seconds = Math.ceil(held / 1000);
			const message = localizable`Dify's request limit is used up. Try again in ${seconds} s.`;
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

	/** Blocks requests for this many milliseconds, as the deployment asked. */
	blockRequests(ms: number): void {
		this.#heldUntil = Math.max(this.#heldUntil, this.#now() + Math.min(ms, longestBlockMs));
	}
}
