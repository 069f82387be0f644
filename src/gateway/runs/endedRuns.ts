/** Number of ended runs to remember, so that stopping one of them isn't an error. */
const rememberedRuns = 10_000;

/** Recently ended or paused runs, by task ID. */
export class EndedRuns {
	/** Agents of runs by task ID, oldest first. */
	readonly #agents = new Map<string, number>();

	/** True if the task was a run of this agent. */
	has(taskId: string, agent: number): boolean {
		return this.#agents.get(taskId) === agent;
	}

	add(taskId: string, agent: number): void {
		this.#agents.set(taskId, agent);
		const [oldest] = this.#agents.keys();
		if (this.#agents.size > rememberedRuns && oldest !== undefined) {
			this.#agents.delete(oldest);
		}
	}
}
