/** Runs requests that may overtake each other, and uses only the result of the latest. */
export class LatestOnly {
	#asked = 0;

	/** Runs a request and passes its result to `take`, unless a later request has started. Rejects only if the latest request rejects. */
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
