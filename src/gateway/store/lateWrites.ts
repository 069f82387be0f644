import { BackgroundJob, type NextTurn } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';
import { StoreFault } from './storeFault.ts';

/** Small writes that must not be lost and that the store does not take now, as on a full disk: tried again, in their order, until it does. */
export class LateWrites {
	readonly #job: BackgroundJob;
	readonly #log: Log;
	readonly #waiting: (() => void)[] = [];

	constructor(log: Log) {
		this.#log = log;
		this.#job = new BackgroundJob('writing what the store did not take', () => this.#write(), log);
	}

	/** Writes now; what the store cannot take now is written later. Returns why it cannot, or undefined where it is written. */
	attempt(write: () => void): StoreFault | undefined {
		try {
			write();
			return undefined;
		} catch (error) {
			if (!(error instanceof StoreFault)) {
				throw error;
			}
			this.#waiting.push(write);
			this.#job.wake();
			return error;
		}
	}

	stop(): void {
		this.#job.stop();
	}

	#write(): NextTurn {
		for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
			try {
				next();
			} catch (error) {
				if (error instanceof StoreFault) {
					throw error;
				}
				this.#log.error('a late write failed', { error });
			}
			this.#waiting.shift();
		}
		return undefined;
	}
}
