import { exitCodes } from './cliFault.ts';

/** Signals that end the process: Ctrl-C, a cancelled job, or a closed terminal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Handles Ctrl-C. The first one aborts, so that runs are stopped on their service. The second one exits immediately. */
export class Interrupt {
	readonly #controller = new AbortController();
	/** Synchronous clean-up before exiting immediately, run in reverse order. */
	readonly #last: (() => void)[] = [];
	/** Number of active preparations, during which there is nothing to stop. */
	#preparing = 0;

	/** @param tell prints a line for the user */
	constructor(tell: (line: string) => void) {
		const onSignal = () => {
			if (this.#preparing > 0 || this.#controller.signal.aborted) {
				this.#exitNow();
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

	/** Runs work that comes before the first run. Ctrl-C during this work exits immediately. */
	async runPreparation<T>(work: () => Promise<T>): Promise<T> {
		if (this.#controller.signal.aborted) {
			this.#exitNow();
		}
		this.#preparing++;
		try {
			return await work();
		} finally {
			this.#preparing--;
		}
	}

	/** Adds synchronous clean-up before exiting immediately. The last added runs first. */
	onEnd(last: () => void): void {
		this.#last.push(last);
	}

	#exitNow(): never {
		for (const each of this.#last.toReversed()) {
			each();
		}
		process.exit(exitCodes.interrupted);
	}
}
