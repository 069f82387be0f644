/** Milliseconds of uninterrupted work before the rest of the process gets its turn. */
const sliceMs = 1;

/**
 * Shares the event loop among all runs and all levels of their graphs. In each turn of the loop, they share one time slice. Then other work
 * runs (requests, timers, a stop) before the next waiting run continues. Chained promises can't bypass this, because the slice belongs to
 * the turn, not to the run.
 */
export class Turns {
	#sliceEnd = 0;
	#scheduled = false;
	#waiting: (() => void)[] = [];

	/** True if the slice of this turn is used up. The first call in a turn starts the slice. */
	isTurnOver(): boolean {
		const now = performance.now();
		if (this.#sliceEnd === 0) {
			this.#sliceEnd = now + sliceMs;
			this.#scheduleTurn();
		}
		return now > this.#sliceEnd;
	}

	/** Calls back in a later turn, after those already waiting. */
	callInLaterTurn(goOn: () => void): void {
		this.#waiting.push(goOn);
		this.#scheduleTurn();
	}

	#scheduleTurn(): void {
		if (this.#scheduled) {
			return;
		}
		this.#scheduled = true;
		setImmediate(() => {
			this.#scheduled = false;
			this.#sliceEnd = 0;
			const goOn = this.#waiting.shift();
			if (this.#waiting.length > 0) {
				this.#scheduleTurn();
			}
			goOn?.();
		});
	}
}
