import { exitCodes } from './cliFault.ts';

/** Signals that end the process: Ctrl-C, a cancelled job, a closed terminal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Handles Ctrl-C: the first one aborts, so that runs are stopped at their service; the second one exits immediately.
 */
export class Interrupt {
	readonly #controller = new AbortController();
	/** Synchronous clean-up before exiting immediately, the latest first. */
	readonly #last: (() => void)[] = [];
	/** Number of active preparations, during which nothing needs to be stopped. */
	#preparing = 0;

	/** @param tell prints a line for the user */
	constructor(tell: (line: string) => void) {
		const onSignal = () => {
			if (this.#preparing > 0 || this.#controller.signal.aborted) {
				this.#exit();
			}
			tell('Stopping active runs. Press Ctrl-C again to exit immediately.');
			this.#controller.abort();
		};
		for (const signal of signals) {
			process.on(signal, onSignal);
		}
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	/** Runs work before the first run: Ctrl-C during it exits immediately. */
	async prepare<T>(work: () => Promise<T>): Promise<T> {
		if (this.#controller.signal.aborted) {
			this.#exit();
		}
		this.#preparing++;
		try {
			return await work();
		} finally {
			this.#preparing--;
		}
	}

	/** Adds synchronous clean-up before exiting immediately; the last added runs first. */
	onEnd(last: () => void): void {
		this.#last.push(last);
	}

	#exit(): never {
		for (const each of this.#last.toReversed()) {
			each();
		}
		process.exit(exitCodes.interrupted);
	}
}
