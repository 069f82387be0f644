/** Milliseconds of work at a stretch before everything else of the process gets its turn. */
const sliceMs = 1;

/**
 * Shares the event loop out among all runs, with all levels of their graphs: in one turn of the loop they work for one slice together, then
 * whatever else waits gets its turn (requests, timers, a stop), and the next who waits goes on. Nothing that is chained by promises alone
 * gets around it, because the slice belongs to the turn and not to who works in it.
 */
export class Turns {
	#sliceEnd = 0;
	#scheduled = false;
	#waiting: (() => void)[] = [];

	/** Whether the slice of this turn is used up; the first to ask in a turn begins it. */
	over(): boolean {
		const now = performance.now();
		if (this.#sliceEnd === 0) {
			this.#sliceEnd = now + sliceMs;
			this.#schedule();
		}
		return now > this.#sliceEnd;
	}

	/** Goes on in a later turn, behind those who wait already. */
	wait(goOn: () => void): void {
		this.#waiting.push(goOn);
		this.#schedule();
	}

	#schedule(): void {
		if (this.#scheduled) {
			return;
		}
		this.#scheduled = true;
		setImmediate(() => {
			this.#scheduled = false;
			this.#sliceEnd = 0;
			const goOn = this.#waiting.shift();
			if (this.#waiting.length > 0) {
				this.#schedule();
			}
			goOn?.();
		});
	}
}
