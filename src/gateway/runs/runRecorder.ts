import type { Log } from '../log.ts';
import type { RunEnd, RunEventRow, RunStore } from '../store/runStore.ts';

const flushMs = 50;
const maxPending = 500;

/** Writes the events of all runs together: many in one transaction, none later than a moment, and all of a run's with its end. */
export class RunRecorder {
	readonly #runs: RunStore;
	readonly #log: Log;
	#pending: RunEventRow[] = [];
	#timer: NodeJS.Timeout | undefined;

	constructor(runs: RunStore, log: Log) {
		this.#runs = runs;
		this.#log = log;
	}

	add(event: RunEventRow): void {
		this.#pending.push(event);
		if (this.#pending.length >= maxPending) {
			this.flush();
		} else {
			this.#timer ??= setTimeout(() => this.flush(), flushMs);
		}
	}

	/** Writes the run's end and every event that waits. Throws where the store cannot write. */
	finish(seq: number, end: RunEnd): void {
		this.#runs.finish(seq, end, this.#take());
	}

	/** Writes the events that wait. */
	flush(): void {
		const events = this.#take();
		if (events.length === 0) {
			return;
		}
		try {
			this.#runs.addEvents(events);
		} catch (error) {
			this.#log.error('events could not be written', { events: events.length, error });
		}
	}

	#take(): readonly RunEventRow[] {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const events = this.#pending;
		this.#pending = [];
		return events;
	}
}
