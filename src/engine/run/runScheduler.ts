import { maxTextLength } from '../variables/textLength.ts';
import { getWeightWithin } from '../variables/weight.ts';
import type { Turns } from './turns.ts';

/** Limits of one run, as in the hosted service (workflow DSL, "Limits"). */
export const defaultMaxSteps = 500;
const defaultMaxSeconds = 1200;
/** Maximum weight of all values that nodes outside of iterations report: they are saved, and many nodes can output one long value. */
const maxValuesWeight = 1_000_000_000;

interface RunLimits {
	readonly maxSteps?: number;
	readonly maxSeconds?: number;
}

/** Enforces the limits of one run across all levels of its graph: time, steps, text, and its share of the event loop. */
export class RunScheduler {
	/** Aborted when the run is stopped or exceeds a limit; the reason is an `Error` that names the cause. */
	readonly signal: AbortSignal;
	readonly #turns: Turns;
	readonly #maxSteps: number;
	readonly #limit = new AbortController();
	readonly #maxSeconds: number;
	#timer: NodeJS.Timeout | undefined;
	/** Milliseconds that were left when the timer was last started, and the time of that start. */
	#leftMs: number;
	#since = 0;
	#closed = false;
	#steps: number;
	#textLength = 0;
	#valuesLeft = maxValuesWeight;

	/** Starts the timer. @param stopped aborted when the run is stopped @param steps number of steps made before the run paused */
	constructor({ maxSteps = defaultMaxSteps, maxSeconds = defaultMaxSeconds }: RunLimits, stopped: AbortSignal, turns: Turns, steps = 0) {
		this.#steps = steps;
		this.#maxSteps = maxSteps;
		this.#turns = turns;
		this.signal = AbortSignal.any([stopped, this.#limit.signal]);
		this.#maxSeconds = maxSeconds;
		this.#leftMs = maxSeconds * 1000;
		this.resumeTimer();
	}

	/** Pauses the timer until {@link resumeTimer}. */
	holdTimer(): void {
		if (this.#timer) {
			clearTimeout(this.#timer);
			this.#timer = undefined;
			this.#leftMs -= performance.now() - this.#since;
		}
	}

	/** Resumes the timer. */
	resumeTimer(): void {
		if (this.#timer || this.#closed) {
			return;
		}
		this.#since = performance.now();
		this.#timer = setTimeout(
			() => this.#limit.abort(new Error(`Maximum execution time exceeded: ${this.#maxSeconds} seconds`)),
			Math.max(0, this.#leftMs),
		);
	}

	/** Number of nodes started and retried so far. */
	get steps(): number {
		return this.#steps;
	}

	/**
	 * Counts a node that is about to start or be retried, on any level. @returns false if the limit is exceeded and the run has been ended
	 */
	countStep(): boolean {
		this.#steps++;
		if (this.#steps <= this.#maxSteps) {
			return true;
		}
		this.#limit.abort(new Error(`Maximum execution steps exceeded: ${this.#steps} > ${this.#maxSteps}`));
		return false;
	}

	/** Counts a text that the run is about to send. @returns false if the limit is exceeded */
	countText({ length }: string): boolean {
		this.#textLength += length;
		return this.#textLength <= maxTextLength;
	}

	/** Counts the values of a node that has ended. Ends the run if the limit is exceeded. */
	countValues(values: unknown): void {
		const weight = getWeightWithin(values, this.#valuesLeft);
		if (weight === undefined) {
			this.#limit.abort(new Error(`Maximum length of values exceeded: ${maxValuesWeight} characters`));
		}
		this.#valuesLeft -= weight ?? 0;
	}

	/** True if the run must yield before its next node. */
	isTurnOver(): boolean {
		return this.#turns.isTurnOver();
	}

	waitForTurn(goOn: () => void): void {
		this.#turns.callInLaterTurn(goOn);
	}

	/** Stops the timer. */
	close(): void {
		this.#closed = true;
		clearTimeout(this.#timer);
	}
}
