import { toTimestampMs } from '#contract/timestamps.ts';

/** Delay in milliseconds from which an event counts as replayed: it arrived this long after its timestamp. */
const lateMs = 2500;

/** Calculates times in a run, in Unix milliseconds minus the total of earlier pauses. */
export class TimelineClock {
	/** Difference between our clock and the service's, in milliseconds. */
	#skew: number | undefined;
	/** Total pause so far, in milliseconds, and the start of the current pause. */
	#waitedMs = 0;
	#pausedAt: number | undefined;

	/** Total time that the run was paused so far, in milliseconds. */
	get waitedMs(): number {
		return this.#waitedMs;
	}

	/** Sets the start of the run. Only the first call counts. */
	setStart(at: number, stamp: unknown): void {
		// a run that continues after a pause sends its first start time again
		this.#skew ??= at - (toTimestampMs(stamp) ?? at);
	}

	/** Starts a pause and returns its time. */
	pauseClock(at: number, stamp: unknown): number {
		const paused = this.getEventTime(at, stamp);
		this.#pausedAt = paused + this.#waitedMs;
		return paused;
	}

	/** Ends the pause, if there is one. */
	resumeClock(at: number, stamp: unknown): void {
		if (this.#pausedAt !== undefined) {
			const pausedAt = this.#pausedAt;
			this.#pausedAt = undefined;
			this.#waitedMs += Math.max(0, this.getEventTime(at, stamp) + this.#waitedMs - pausedAt);
		}
	}

	/** Returns the time of one of our notes. The clock doesn't advance during a pause. */
	getNoteTime(at: number): number {
		return this.toRunTime(this.#pausedAt ?? at);
	}

	/** Converts the arrival time of an event to a time in the run. */
	toRunTime(at: number): number {
		return at - this.#waitedMs;
	}

	/** Returns the time of an event: its arrival, unless it was replayed. */
	getEventTime(at: number, stamp: unknown): number {
		const reported = toTimestampMs(stamp);
		const expected = reported === undefined || this.#skew === undefined ? at : reported + this.#skew;
		return this.toRunTime(at - expected > lateMs ? expected : at);
	}
}
