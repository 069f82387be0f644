/** Asks that overtake each other: only what was asked last is taken, whatever answers first. */
export class LatestOnly {
	#asked = 0;

	/** Asks, and hands the answer to `take` unless something was asked since. Rejects with what the last ask rejects with. */
	async run<T>(ask: () => Promise<T>, take: (answer: T) => void): Promise<void> {
		const mine = ++this.#asked;
		try {
			const answer = await ask();
			if (mine === this.#asked) {
				take(answer);
			}
		} catch (error) {
			if (mine === this.#asked) {
				throw error;
			}
		}
	}
}
