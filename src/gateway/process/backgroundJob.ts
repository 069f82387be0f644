import type { Log } from './log.ts';

/** Milliseconds until a job wants to go on; undefined: not before it is woken. */
export type NextTurn = number | undefined;

/** Pauses after failures: the first one, and the one that the doubling ends at. */
const firstPauseMs = 250;
const longestPauseMs = 10_000;

/**
 * Work that nobody waits for: indexing, sweeping, watching, writing what could not be written. Everything of that kind goes through here, because a throw
 * in a bare timer ends the process and all runs. One piece at a time; a piece that fails is tried again after a pause that doubles. The log gets the
 * first failure of a row, and when it is over.
 */
export class BackgroundJob {
	readonly #name: string;
	readonly #work: () => NextTurn | Promise<NextTurn>;
	readonly #log: Log;
	#timer: NodeJS.Timeout | undefined;
	/** When the timer is due, and before when no piece may begin: `performance.now()`. */
	#due = Number.POSITIVE_INFINITY;
	#notBefore = 0;
	#failures = 0;
	#busy = false;
	#stopped = false;

	/** `name` tells the log what was tried, as in "indexing runs"; `work` does one piece. */
	constructor(name: string, work: () => NextTurn | Promise<NextTurn>, log: Log) {
		this.#name = name;
		this.#work = work;
		this.#log = log;
	}

	/** Whether the last piece failed. */
	get failing(): boolean {
		return this.#failures > 0;
	}

	/** There is work: begins in so many milliseconds at the latest, or after the pause that a failure has put. */
	wake(ms = 0): void {
		const due = Math.max(performance.now() + ms, this.#notBefore);
		if (this.#stopped || this.#due <= due) {
			return;
		}
		this.#due = due;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#turn(), Math.max(0, due - performance.now())).unref();
	}

	/** Does a piece now, unless one is being done or the job pauses after a failure. */
	run(): void {
		if (performance.now() >= this.#notBefore) {
			this.#turn();
		}
	}

	/** Begins no more pieces. */
	stop(): void {
		this.#stopped = true;
		clearTimeout(this.#timer);
	}

	#turn(): void {
		if (this.#stopped || this.#busy) {
			return;
		}
		clearTimeout(this.#timer);
		this.#due = Number.POSITIVE_INFINITY;
		this.#busy = true;
		try {
			const next = this.#work();
			if (next instanceof Promise) {
				next.then(
					ms => this.#done(ms),
					(error: unknown) => this.#failed(error),
				);
			} else {
				this.#done(next);
			}
		} catch (error) {
			this.#failed(error);
		}
	}

	#done(next: NextTurn): void {
		this.#busy = false;
		if (this.#failures > 0) {
			this.#log.info(`${this.#name} works again`, { failures: this.#failures });
		}
		this.#failures = 0;
		this.#notBefore = 0;
		this.#again(next);
	}

	#failed(error: unknown): void {
		this.#busy = false;
		const pause = Math.min(firstPauseMs * 2 ** this.#failures, longestPauseMs);
		this.#failures++;
		if (this.#failures === 1 && !this.#stopped) {
			this.#log.error(`${this.#name} failed; it is tried again`, { error });
		}
		this.#notBefore = performance.now() + pause;
		this.#again(pause);
	}

	/** Also begins anew what {@link wake} asked for while a piece was being done. */
	#again(ms: NextTurn): void {
		const asked = this.#due - performance.now();
		this.#due = Number.POSITIVE_INFINITY;
		const wanted = Math.min(ms ?? Number.POSITIVE_INFINITY, Math.max(asked, 0));
		if (wanted < Number.POSITIVE_INFINITY) {
			this.wake(wanted);
		}
	}
}
