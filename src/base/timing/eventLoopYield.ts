/** Milliseconds of work before other work of the extension host gets a turn. */
const longestTurnMs = 12;

/** Gives other work a turn while a long list is processed. Checking is nearly free: `if (yielder.isDue) await yielder.wait()` */
export class EventLoopYield {
	#since = performance.now();

	/** True if it's time to let other work run. */
	get isDue(): boolean {
		return performance.now() - this.#since > longestTurnMs;
	}

	/** Gives other work a turn. */
	async yieldTurn(): Promise<void> {
		await new Promise<void>(resolve => void setImmediate(resolve));
		this.#since = performance.now();
	}
}
