/** Milliseconds of work before other work of the extension host gets a turn. */
const longestTurnMs = 12;

/**
 * Lets other work run in between, during work on a long list. Checking is nearly free: `if (yielder.isDue) await yielder.wait()`
 */
export class EventLoopYield {
	#since = performance.now();

	/** True if it's time to let other work run. */
	get isDue(): boolean {
		return performance.now() - this.#since > longestTurnMs;
	}

	/** Lets other work run. */
	async wait(): Promise<void> {
		await new Promise<void>(resolve => void setImmediate(resolve));
		this.#since = performance.now();
	}
}
