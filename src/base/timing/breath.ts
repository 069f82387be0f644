/** Milliseconds that work on a long list takes of the extension host at a time: others have their turn in between. */
const longestTurnMs = 12;

/**
 * Lets others have their turn in the middle of work on a long list. Asked often, for which it costs next to nothing:
 * `if (breath.isDue) await breath.take();`
 */
export class Breath {
	#since = performance.now();

	/** Whether the work has had its time. */
	get isDue(): boolean {
		return performance.now() - this.#since > longestTurnMs;
	}

	/** Resolves once the others had theirs. */
	async take(): Promise<void> {
		await new Promise<void>(resolve => void setImmediate(resolve));
		this.#since = performance.now();
	}
}
