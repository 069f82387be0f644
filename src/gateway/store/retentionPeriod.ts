import type { Log } from '../process/log.ts';

const dayMs = 86_400_000;

/**
 * Finds the time before which data is older than a retention period. If the clock jumps so far that all data would be older, it may be
 * wrong. Then nothing counts as old for a day of uptime, or until the next start after newer data was stored.
 */
export class RetentionPeriod {
	readonly #ms: number;
	readonly #log: Log;
	/** Time of the last sweep, at first that of the newest data. */
	#last: number;
	#waitsUntil = 0;

	/** @param newest time of the newest data that isn't in the future, by default the present (Unix milliseconds) */
	constructor(days: number, newest: number | undefined, log: Log) {
		this.#ms = days * dayMs;
		this.#last = newest ?? Date.now();
		this.#log = log;
	}

	/**
	 * Returns the time (Unix milliseconds) before which data is old, or undefined if nothing may be deleted now.
	 * @param uptime milliseconds of a clock that doesn't jump
	 */
	findStart(now = Date.now(), uptime = performance.now()): number | undefined {
		const last = this.#last;
		this.#last = now;
		if (now < last) {
			this.#waitsUntil = 0;
		} else if (now - last > this.#ms) {
			this.#waitsUntil = uptime + dayMs;
			this.#log.warn('All data is older than its retention period and is kept for one more day, in case the clock is wrong', {
				now: new Date(now).toISOString(),
				newest: new Date(last).toISOString(),
			});
		}
		return uptime < this.#waitsUntil ? undefined : now - this.#ms;
	}
}
