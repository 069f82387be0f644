import type { Log } from './log.ts';

/** Milliseconds until a job wants to run again; undefined if it only runs when it's woken. */
export type NextTurn = number | undefined;

/** Pauses after a failure, in milliseconds: the first one, and the longest one that doubling leads to. */
const firstPauseMs = 250;
const longestPauseMs = 10_000;

/**
 * Work that no caller waits for: indexing, sweeping, watching, retrying writes. All such work must use this class, because an exception in
 * a plain timer ends the process and all runs. Runs one step at a time. A failed step is retried after a pause that doubles. Logs the first
 * failure of a series and the recovery.
 */
export class BackgroundJob {
	readonly #name: string;
	readonly #work: () => NextTurn | Promise<NextTurn>;
	readonly #log: Log;
	#timer: NodeJS.Timeout | undefined;
	/** Time when the timer fires, and earliest time for the next step, from `performance.now()`. */
	#due = Number.POSITIVE_INFINITY;
	#notBefore = 0;
	#failures = 0;
	#busy = false;
	#stopped = false;

	/**
	 * @param name for the log, for example "Indexing runs"
	 * @param work runs one step
	 */
	constructor(name: string, work: () => NextTurn | Promise<NextTurn>, log: Log) {
		this.#name = name;
		this.#work = work;
		this.#log = log;
	}

	/** True if the last step failed. */
	get failing(): boolean {
		return this.#failures > 0;
	}

	/** Requests a step within `ms` milliseconds, or after the pause that follows a failure. */
	scheduleStep(ms = 0): void {
		const due = Math.max(performance.now() + ms, this.#notBefore);
		if (this.#stopped || this.#due <= due) {
			return;
		}
		this.#due = due;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#runStep(), Math.max(0, due - performance.now())).unref();
	}

	/** Runs a step immediately, unless one is running or the job pauses after a failure. */
	run(): void {
		if (performance.now() >= this.#notBefore) {
			this.#runStep();
		}
	}

	/** Starts no more steps. */
	stop(): void {
		this.#stopped = true;
		clearTimeout(this.#timer);
	}

	#runStep(): void {
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
					ms => this.#onSuccess(ms),
					(error: unknown) => this.#onFailure(error),
				);
			} else {
				this.#onSuccess(next);
			}
		} catch (error) {
			this.#onFailure(error);
		}
	}

	#onSuccess(next: NextTurn): void {
		this.#busy = false;
		if (this.#failures > 0) {
			this.#log.info(`${this.#name} recovered`, { failures: this.#failures });
		}
		this.#failures = 0;
		this.#notBefore = 0;
		this.#scheduleNext(next);
	}

	#onFailure(error: unknown): void {
		this.#busy = false;
		const pause = Math.min(firstPauseMs * 2 ** this.#failures, longestPauseMs);
		this.#failures++;
		if (this.#failures === 1 && !this.#stopped) {
			this.#log.error(`${this.#name} failed and will be retried`, { error });
		}
		this.#notBefore = performance.now() + pause;
		this.#scheduleNext(pause);
	}

	/** Schedules the next step. Also honors calls of {@link scheduleStep} during the last one. */
	#scheduleNext(ms: NextTurn): void {
		const asked = this.#due - performance.now();
		this.#due = Number.POSITIVE_INFINITY;
		const wanted = Math.min(ms ?? Number.POSITIVE_INFINITY, Math.max(asked, 0));
		if (wanted < Number.POSITIVE_INFINITY) {
			this.scheduleStep(wanted);
		}
	}
}
