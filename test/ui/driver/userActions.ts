/** Counts what a user does: a click, a pick, an answer that is typed and entered. What a test waits for, and looks at, is none. */
export class UserActions {
	#count = 0;

	get count(): number {
		return this.#count;
	}

	/** One more. */
	async does(act: () => Promise<void>): Promise<void> {
		this.#count++;
		await act();
	}
}
