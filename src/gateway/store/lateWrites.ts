import { BackgroundJob, type NextTurn } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';
import { StoreFault } from './storeFault.ts';

/**
 * Small writes that must not be lost if the store fails now, for example because the disk is full. They are retried in order until they
 * succeed.
 */
export class LateWrites {
	readonly #job: BackgroundJob;
	readonly #log: Log;
	readonly #waiting: (() => void)[] = [];

	constructor(log: Log) {
		this.#log = log;
		this.#job = new BackgroundJob('Retrying failed writes', () => this.#writeWaiting(), log);
	}

	/** Writes now or, if the store can't do that, later. Returns the reason for the delay, or undefined if it was written. */
	attemptWrite(write: () => void): StoreFault | undefined {
		try {
			write();
			return undefined;
		} catch (error) {
			if (!(error instanceof StoreFault)) {
				throw error;
			}
			this.#waiting.push(write);
			this.#job.scheduleStep();
			return error;
		}
	}

	stop(): void {
		this.#job.stop();
	}

	#writeWaiting(): NextTurn {
		for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
			try {
				next();
			} catch (error) {
				if (error instanceof StoreFault) {
					throw error;
				}
				this.#log.error('A delayed write failed', { error });
			}
			this.#waiting.shift();
		}
		return undefined;
	}
}
