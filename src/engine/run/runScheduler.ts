import { maxTextLength } from '../variables/textLength.ts';
import type { Turns } from './turns.ts';

/** Nodes and seconds of one run, as in the hosted service (workflow DSL, "Limits"). */
export const defaultMaxSteps = 500;
const defaultMaxSeconds = 1200;

interface RunLimits {
	readonly maxSteps?: number;
	readonly maxSeconds?: number;
}

/** What holds one run within its bounds, for all levels of its graph: its time, its steps, its end, and its turns at the event loop. */
export class RunScheduler {
	/** Aborted when the run is stopped or over a limit; the reason is an `Error` that says which. */
	readonly signal: AbortSignal;
	readonly #turns: Turns;
	readonly #maxSteps: number;
	readonly #limit = new AbortController();
	readonly #maxSeconds: number;
	#timer: NodeJS.Timeout | undefined;
	/** Milliseconds that are left when the timer starts, and when that was. */
	#leftMs: number;
	#since = 0;
	#closed = false;
	#steps: number;
	#textLength = 0;

	/** The time counts from here. @param stopped aborted by whoever stops the run @param steps those before the run paused */
	constructor({ maxSteps = defaultMaxSteps, maxSeconds = defaultMaxSeconds }: RunLimits, stopped: AbortSignal, turns: Turns, steps = 0) {
		this.#steps = steps;
		this.#maxSteps = maxSteps;
		this.#turns = turns;
		this.signal = AbortSignal.any([stopped, this.#limit.signal]);
		this.#maxSeconds = maxSeconds;
		this.#leftMs = maxSeconds * 1000;
		this.goOn();
	}

	/** The run stands still: its time does not count until {@link goOn}. */
	hold(): void {
		if (this.#timer) {
			clearTimeout(this.#timer);
			this.#timer = undefined;
			this.#leftMs -= performance.now() - this.#since;
		}
	}

	/** The run's time counts again. */
	goOn(): void {
		if (this.#timer || this.#closed) {
			return;
		}
		this.#since = performance.now();
		this.#timer = setTimeout(
			() => this.#limit.abort(new Error(`Maximum execution time exceeded: ${this.#maxSeconds} seconds`)),
			Math.max(0, this.#leftMs),
		);
	}

	/** Nodes started and tried again so far. */
	get steps(): number {
		return this.#steps;
	}

	/** Counts a node that is about to start, or to be tried again, wherever it is. @returns false: over the limit; the run has been ended */
	step(): boolean {
		this.#steps++;
		if (this.#steps <= this.#maxSteps) {
			return true;
		}
		this.#limit.abort(new Error(`Maximum execution steps exceeded: ${this.#steps} > ${this.#maxSteps}`));
		return false;
	}

	/** Counts a text that the run is about to send. @returns false: over the limit */
	countText({ length }: string): boolean {
		this.#textLength += length;
		return this.#textLength <= maxTextLength;
	}

	/** Whether the run must let others have their turn before its next node. */
	turnIsOver(): boolean {
		return this.#turns.over();
	}

	nextTurn(goOn: () => void): void {
		this.#turns.wait(goOn);
	}

	/** The run has ended. */
	close(): void {
		this.#closed = true;
		clearTimeout(this.#timer);
	}
}
