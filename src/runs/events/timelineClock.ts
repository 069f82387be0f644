import { timestampToMs } from '#contract/timestamps.ts';

/** An event that comes this much later than its time stamp says was replayed: its stamp tells when it was. In milliseconds. */
const lateMs = 2500;

/** When things of a run were, in Unix milliseconds, less what the run has waited for people until then. */
export class TimelineClock {
	/** By how much the service's clock is behind ours, in milliseconds. */
	#skew: number | undefined;
	/** How long the run has waited for people, and since when it waits, in milliseconds. */
	#waitedMs = 0;
	#pausedAt: number | undefined;

	/** How long the run has waited for people before what it does now, in milliseconds. */
	get waitedMs(): number {
		return this.#waitedMs;
	}

	/** The run says when it began; the first time counts. */
	begin(at: number, stamp: unknown): void {
		// a run that goes on after a pause says again when it first began
		this.#skew ??= at - (timestampToMs(stamp) ?? at);
	}

	/** The run waits from now on. @returns when that was */
	pause(at: number, stamp: unknown): number {
		const paused = this.when(at, stamp);
		this.#pausedAt = paused + this.#waitedMs;
		return paused;
	}

	/** The run goes on, if it waited. */
	goOn(at: number, stamp: unknown): void {
		if (this.#pausedAt !== undefined) {
			const pausedAt = this.#pausedAt;
			this.#pausedAt = undefined;
			this.#waitedMs += Math.max(0, this.when(at, stamp) + this.#waitedMs - pausedAt);
		}
	}

	/** When a word of ours was said: the time stands still while the run waits. */
	noted(at: number): number {
		return this.told(this.#pausedAt ?? at);
	}

	/** When something came. */
	told(at: number): number {
		return at - this.#waitedMs;
	}

	/** When something was: when it came, unless it was replayed. */
	when(at: number, stamp: unknown): number {
		const told = timestampToMs(stamp);
		const expected = told === undefined || this.#skew === undefined ? at : told + this.#skew;
		return this.told(at - expected > lateMs ? expected : at);
	}
}
