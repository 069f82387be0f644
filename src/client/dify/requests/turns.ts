/** Runs tasks one after another in the order of their requests. */
export class SerialQueue {
	#last: Promise<unknown> = Promise.resolve();

	/** Settles as `work` does. If the signal aborts first, the task is skipped and the promise rejects with the result of `aborted`. */
	async runInTurn<T>(work: () => Promise<T>, signal: AbortSignal | undefined, aborted: () => Error): Promise<T> {
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
		// a queued caller is rejected immediately on abort
		return new Promise<T>((resolve, reject) => {
			const rejectAborted = () => reject(aborted());
			signal.addEventListener('abort', rejectAborted, { once: true });
			turn.then(resolve, reject).finally(() => signal.removeEventListener('abort', rejectAborted));
		});
	}
}
