/** Runs whose end is remembered, so that a stop that comes late is no error. */
const rememberedRuns = 10_000;

/** Runs that have ended a while ago, or wait, by the IDs of their tasks. */
export class EndedRuns {
	/** Oldest first, with the agent that they were of. */
	readonly #agents = new Map<string, number>();

	/** Whether the run of a task was one of this agent's. */
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
