import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { stoppedByUser } from '#contract/workflows.ts';
import type { Store } from '../store/store.ts';
import { createFinishedEvent } from './finishedEvent.ts';

/** Paused runs with no active branch. Ends or resumes them and notifies listeners. */
export class WaitingRuns {
	readonly #store: Store;
	readonly #ended: (taskId: string, agent: number) => void;
	/** Listeners by the run's row ID. */
	readonly #changes = new Map<number, PromiseWithResolvers<void>>();

	/** @param ended called when a run has ended */
	constructor(store: Store, ended: (taskId: string, agent: number) => void) {
		this.#store = store;
		this.#ended = ended;
	}

	/** Resolves when a paused run resumes or ends. */
	waitForChange(seq: number): Promise<void> {
		const change = this.#changes.get(seq) ?? Promise.withResolvers<void>();
		this.#changes.set(seq, change);
		return change.promise;
	}

	/** Notifies listeners that a run has resumed or ended. */
	notifyChange(seq: number): void {
		this.#changes.get(seq)?.resolve();
		this.#changes.delete(seq);
	}

	/** True if the run with this ID is paused. */
	has(id: string): boolean {
		return this.#store.paused.findRunById(id) !== undefined;
	}

	/** Stops the paused run of a task. Throws an error (403) for another user. Returns false if the task has no paused run. */
	stopTask(agent: number, taskId: string, user: string): boolean {
		const seq = this.#store.paused.findRunByTask(taskId);
		const row = seq === undefined ? undefined : this.#store.runs.getRows([seq])[0];
		if (!row || row.agent !== agent) {
			return false;
		}
		checkRunOwner(row.user, user);
		this.endRun(row.seq, 'stopped', stoppedByUser);
		return true;
	}

	/** Stops a run by its ID if it's paused. */
	stopRun(id: string): void {
		const seq = this.#store.paused.findRunById(id);
		if (seq !== undefined) {
			this.endRun(seq, 'stopped', stoppedByUser);
		}
	}

	/** Ends a paused run; its forms are deleted or marked as expired. Does nothing if it isn't paused anymore. */
	endRun(seq: number, status: 'stopped' | 'failed', error: string, forms: 'gone' | 'expired' = 'gone'): void {
		const { runs, search } = this.#store;
		const row = runs.getRows([seq])[0];
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
		const event = JSON.stringify(createFinishedEvent({ ...row, status, error, finished_at: finishedAt }));
		runs.finishRun(seq, end, [{ run: seq, number: runs.getLastEventNumber(seq) + 1, event }], forms);
		this.#ended(row.task_id, row.agent);
		this.notifyChange(seq);
		search.scheduleIndexing();
	}
}

/** Throws an error (403) if `user` doesn't own the run. */
export function checkRunOwner(owner: string, user: string): void {
	if (owner !== user) {
		throw new ServiceFault(403, localizable`This run belongs to another user.`);
	}
}
