import { setTimeout as delay } from 'node:timers/promises';
import type { NodeResult } from '../../nodes/nodeType.ts';
import type { Execution } from '../execution.ts';

/** Milliseconds to wait for stopped nodes to settle at the end of a level. */
const patienceMs = 1000;

/** Unfinished asynchronous executions of one level. */
export class InFlightNodes {
	readonly #executions = new Set<Execution>();
	readonly #settling = new Set<Promise<unknown>>();

	get isEmpty(): boolean {
		return this.#executions.size === 0;
	}

	add(execution: Execution): void {
		this.#executions.add(execution);
	}

	remove(execution: Execution): void {
		this.#executions.delete(execution);
	}

	/** Adds an execution and calls back when its result settles. */
	trackExecution(
		execution: Execution,
		result: Promise<NodeResult>,
		onResult: (result: NodeResult) => void,
		onError: (error: unknown) => void,
	): void {
		this.add(execution);
		const settled = result.then(onResult, onError).finally(() => this.#settling.delete(settled));
		this.#settling.add(settled);
	}

	/** Removes and returns all executions. */
	takeAllExecutions(): Execution[] {
		const all = [...this.#executions];
		this.#executions.clear();
		return all;
	}

	/** Resolves when all results have settled, or after {@link patienceMs}: a node may ignore its signal. */
	async waitUntilSettled(): Promise<void> {
		if (this.#settling.size === 0) {
			return;
		}
		const patience = new AbortController();
		await Promise.race([Promise.allSettled(this.#settling), delay(patienceMs, undefined, { signal: patience.signal }).catch(() => {})]);
		patience.abort();
	}
}
