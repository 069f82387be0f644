import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { Store } from '../store/store.ts';
import { finishedEvent } from './finishedEvent.ts';

/** Why a run has ended that was stopped; the engine's words. */
const stoppedByUser = 'Stopped by user.';

/** Runs that wait for a person, as far as nothing of them goes on: they end, or go on again, and whoever waits for that is told. */
export class WaitingRuns {
	readonly #store: Store;
	readonly #ended: (taskId: string, agent: number) => void;
	/** Who waits for them, by row ID. */
	readonly #changes = new Map<number, PromiseWithResolvers<void>>();

	/** @param ended is called when one has ended */
	constructor(store: Store, ended: (taskId: string, agent: number) => void) {
		this.#store = store;
		this.#ended = ended;
	}

	/** Resolves when a run that waits goes on or ends. */
	changed(seq: number): Promise<void> {
		const change = this.#changes.get(seq) ?? Promise.withResolvers<void>();
		this.#changes.set(seq, change);
		return change.promise;
	}

	/** A run goes on, or has ended. */
	tell(seq: number): void {
		this.#changes.get(seq)?.resolve();
		this.#changes.delete(seq);
	}

	/** Whether a run waits, by its ID. */
	has(id: string): boolean {
		return this.#store.paused.byRun(id) !== undefined;
	}

	/** Stops the run of a task. Throws a fault (403) for another user. @returns false: no run of this task waits */
	stop(agent: number, taskId: string, user: string): boolean {
		const seq = this.#store.paused.byTask(taskId);
		const row = seq === undefined ? undefined : this.#store.runs.rows([seq])[0];
		if (!row || row.agent !== agent) {
			return false;
		}
		checkUser(row.user, user);
		this.end(row.seq, 'stopped', stoppedByUser);
		return true;
	}

	/** Stops a run by its ID, if it waits. */
	stopRun(id: string): void {
		const seq = this.#store.paused.byRun(id);
		if (seq !== undefined) {
			this.end(seq, 'stopped', stoppedByUser);
		}
	}

	/** Ends a run that waits; its forms are gone, or told as expired. Does nothing where it waits no more. */
	end(seq: number, status: 'stopped' | 'failed', error: string, forms: 'gone' | 'expired' = 'gone'): void {
		const { runs, search } = this.#store;
		const row = runs.rows([seq])[0];
		if (row?.status !== 'paused') {
			return;
		}
		const finishedAt = Date.now();
		const end = {
			status,
			outputs: null,
			error,
			elapsedTime: row.elapsed_time,
			totalTokens: row.total_tokens,
			totalSteps: row.total_steps,
			exceptionsCount: row.exceptions_count,
			finishedAt,
		};
		const event = JSON.stringify(finishedEvent({ ...row, status, error, finished_at: finishedAt }));
		runs.finish(seq, end, [{ run: seq, number: runs.lastEvent(seq) + 1, event }], forms);
		this.#ended(row.task_id, row.agent);
		this.tell(seq);
		search.wake();
	}
}

/** Throws a fault (403) for another user than that of the run. */
export function checkUser(owner: string, user: string): void {
	if (owner !== user) {
		throw new ServiceFault(403, 'The run belongs to another user: expected the user that started it.');
	}
}
