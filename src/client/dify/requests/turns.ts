/** Has work done one after another, in the order in which it was asked for. */
export class SerialQueue {
	#last: Promise<unknown> = Promise.resolve();

	/** Resolves as `work` does; one whose signal is aborted before its turn is skipped, and `aborted` says what it rejects with. */
	async take<T>(work: () => Promise<T>, signal: AbortSignal | undefined, aborted: () => Error): Promise<T> {
		if (signal?.aborted) {
			throw aborted();
		}
		const turn = this.#last.then(() => {
			if (signal?.aborted) {
				throw aborted();
			}
			return work();
		});
		this.#last = turn.catch(() => undefined);
		if (signal === undefined) {
			return turn;
		}
		// who waits for its turn hears of its end at once
		return new Promise<T>((resolve, reject) => {
			const end = () => reject(aborted());
			signal.addEventListener('abort', end, { once: true });
			turn.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
		});
	}
}
