import { BackgroundJob } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';
import type { LateWrites } from '../store/lateWrites.ts';
import type { RunEnd, RunEventRow, RunPause } from '../store/runRows.ts';
import type { RunStore } from '../store/runStore.ts';
import { StoreFault } from '../store/storeFault.ts';

const flushMs = 50;
const maxPending = 500;
/** Characters of events that wait while the store cannot take them; of more, the oldest are dropped. */
const maxWaitingLength = 64 * 1024 * 1024;

/** Writes the events of all runs together: many in one transaction, none later than a moment, and all of a run's with its end. */
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
		this.#job = new BackgroundJob('writing the events of runs', () => this.#write(), log);
	}

	add(event: RunEventRow): void {
		this.#pending.push(event);
		this.#length += event.event.length;
		if (this.#job.failing) {
			this.#dropOldest();
		} else if (this.#pending.length >= maxPending) {
			this.#job.run();
		} else {
			this.#job.wake(flushMs);
		}
	}

	/** Writes the run's end with its last event, and every event that waits. Throws where the store cannot; events that wait then go on waiting. */
	finish(seq: number, end: RunEnd, last: readonly RunEventRow[] = []): void {
		this.#writeWith(seq, last, events => this.#runs.finish(seq, end, events));
	}

	/** The same for a run that waits for a person. */
	pause(seq: number, pause: RunPause, last: readonly RunEventRow[]): void {
		this.#writeWith(seq, last, events => this.#runs.pause(seq, pause, events));
	}

	#writeWith(seq: number, last: readonly RunEventRow[], write: (events: readonly RunEventRow[]) => void): void {
		const waiting = this.#take();
		try {
			write([...waiting, ...last]);
		} catch (error) {
			if (error instanceof StoreFault) {
				this.#putBack(waiting);
				throw error;
			}
			// something in these events cannot be written: that costs other runs nothing
			this.#putBack(waiting.filter(({ run }) => run !== seq));
			write([...waiting.filter(({ run }) => run === seq), ...last]);
		}
	}

	/** Writes the end of a run that cannot be written in full, when the store takes it again; it is told from now on. */
	settle(seq: number, end: RunEnd): void {
		this.#runs.unsettled(seq, end);
		this.#late.attempt(() => this.#runs.finish(seq, end));
	}

	/** Writes the events that wait. */
	flush(): void {
		this.#job.run();
	}

	/** Ends with what waits written, if that is possible. */
	stop(): void {
		this.flush();
		this.#job.stop();
	}

	#write(): undefined {
		const events = this.#take();
		if (events.length === 0) {
			return;
		}
		try {
			this.#runs.addEvents(events);
		} catch (error) {
			if (error instanceof StoreFault) {
				this.#putBack(events);
				throw error;
			}
			this.#writeApart(events);
		}
	}

	/** Each run's events in a transaction of its own: those of one that cannot be written cost other runs nothing. */
	#writeApart(events: readonly RunEventRow[]): void {
		for (const [run, own] of Map.groupBy(events, event => event.run)) {
			try {
				this.#runs.addEvents(own);
			} catch (error) {
				this.#log.error('events could not be written', { run, events: own.length, error });
			}
		}
	}

	#take(): RunEventRow[] {
		const events = this.#pending;
		this.#pending = [];
		this.#length = 0;
		return events;
	}

	#putBack(events: readonly RunEventRow[]): void {
		this.#pending = [...events, ...this.#pending];
		this.#length = this.#pending.reduce((sum, { event }) => sum + event.length, 0);
		if (events.length > 0) {
			this.#job.wake(flushMs);
		}
		this.#dropOldest();
	}

	#dropOldest(): void {
		if (this.#length <= maxWaitingLength) {
			return;
		}
		const kept = this.#pending.splice(Math.ceil(this.#pending.length / 2));
		this.#log.error('events were dropped, because the store has not taken any for too long', { events: this.#pending.length });
		this.#pending = [];
		this.#putBack(kept);
	}
}
