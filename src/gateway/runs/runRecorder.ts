import { BackgroundJob } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';
import type { LateWrites } from '../store/lateWrites.ts';
import type { RunEnd, RunEventRow, RunPause } from '../store/runRows.ts';
import type { RunStore } from '../store/runStore.ts';
import { StoreFault } from '../store/storeFault.ts';

const flushMs = 50;
const maxPending = 500;
/** Maximum characters of unsaved events. If there are more, the oldest are dropped. */
const maxWaitingLength = 64 * 1024 * 1024;

/**
 * Saves the events of all runs in batches: many in one transaction, soon after they happen, and all events of a run together with its end.
 */
export class RunRecorder {
	readonly #runs: RunStore;
	readonly #late: LateWrites;
	readonly #log: Log;
	readonly #job: BackgroundJob;
	#pending: RunEventRow[] = [];
	#length = 0;

	constructor(runs: RunStore, late: LateWrites, log: Log) {
		this.#runs = runs;
		this.#late = late;
		this.#log = log;
		this.#job = new BackgroundJob('Saving run events', () => this.#writePending(), log);
	}

	add(event: RunEventRow): void {
		this.#pending.push(event);
		this.#length += event.event.length;
		if (this.#job.failing) {
			this.#dropOldestEvents();
		} else if (this.#pending.length >= maxPending) {
			this.#job.run();
		} else {
			this.#job.scheduleStep(flushMs);
		}
	}

	/** Saves a run's end with its last event and all pending events. Throws if the store can't save them; pending events stay pending then. */
	finishRun(seq: number, end: RunEnd, last: readonly RunEventRow[] = []): void {
		this.#writeTogether(seq, last, events => this.#runs.finishRun(seq, end, events));
	}

	/** Does the same as {@link finishRun} for a run that pauses. */
	pauseRun(seq: number, pause: RunPause, last: readonly RunEventRow[]): void {
		this.#writeTogether(seq, last, events => this.#runs.pauseRun(seq, pause, events));
	}

	#writeTogether(seq: number, last: readonly RunEventRow[], write: (events: readonly RunEventRow[]) => void): void {
		const waiting = this.#takePending();
		try {
			write([...waiting, ...last]);
		} catch (error) {
			if (error instanceof StoreFault) {
				this.#putBackEvents(waiting);
				throw error;
			}
			// one of these events can't be saved, which must not affect other runs
			this.#putBackEvents(waiting.filter(({ run }) => run !== seq));
			write([...waiting.filter(({ run }) => run === seq), ...last]);
		}
	}

	/** Records the end of a run that can't be saved now. It counts immediately, and is saved as soon as possible. */
	settleRunLater(seq: number, end: RunEnd): void {
		this.#runs.setUnsettledEnd(seq, end);
		this.#late.attemptWrite(() => this.#runs.finishRun(seq, end));
	}

	/** Saves the pending events. */
	flushEvents(): void {
		this.#job.run();
	}

	/** Stops after saving the pending events, if possible. */
	stop(): void {
		this.flushEvents();
		this.#job.stop();
	}

	#writePending(): undefined {
		const events = this.#takePending();
		if (events.length === 0) {
			return;
		}
		try {
			this.#runs.addEvents(events);
		} catch (error) {
			if (error instanceof StoreFault) {
				this.#putBackEvents(events);
				throw error;
			}
			this.#writeByRun(events);
		}
	}

	/** Saves the events of each run in a separate transaction, so that an event that can't be saved doesn't affect other runs. */
	#writeByRun(events: readonly RunEventRow[]): void {
		for (const [run, own] of Map.groupBy(events, event => event.run)) {
			try {
				this.#runs.addEvents(own);
			} catch (error) {
				this.#log.error("Couldn't save run events", { run, events: own.length, error });
			}
		}
	}

	#takePending(): RunEventRow[] {
		const events = this.#pending;
		this.#pending = [];
		this.#length = 0;
		return events;
	}

	#putBackEvents(events: readonly RunEventRow[]): void {
		this.#pending = [...events, ...this.#pending];
		this.#length = this.#pending.reduce((sum, { event }) => sum + event.length, 0);
		if (events.length > 0) {
			this.#job.scheduleStep(flushMs);
		}
		this.#dropOldestEvents();
	}

	#dropOldestEvents(): void {
		if (this.#length <= maxWaitingLength) {
			return;
		}
		const kept = this.#pending.splice(Math.ceil(this.#pending.length / 2));
		this.#log.error('Dropped run events because the store has been failing for too long', { events: this.#pending.length });
		this.#pending = [];
		this.#putBackEvents(kept);
	}
}
