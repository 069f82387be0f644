/** Counts user actions: clicks, picks, and answers typed and entered. Waiting and reading don't count. */
export class UserActions {
	#count = 0;

	get count(): number {
		return this.#count;
	}

	/** Runs and counts one action. */
	async performAction(act: () => Promise<void>): Promise<void> {
		this.#count++;
		await act();
	}
}
