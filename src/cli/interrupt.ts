import { exitCodes } from './cliFault.ts';

/** Signals that ask a program to end: Ctrl-C, a job that is called off, a terminal that closes. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ctrl-C as an abort: the first asks for an orderly end, in which runs are stopped at their service; the second ends the process at once.
 */
export class Interrupt {
	readonly #controller = new AbortController();
	/** What a process that ends at once still does, synchronously: the latest first. */
	readonly #last: (() => void)[] = [];
	/** Preparations that go on, of which nothing is left to be stopped in order. */
	#preparing = 0;

	/** @param tell shows a line to the user */
	constructor(tell: (line: string) => void) {
		const heard = () => {
			if (this.#preparing > 0 || this.#controller.signal.aborted) {
				this.#end();
			}
			tell('Stopping active runs. Press Ctrl-C again to exit immediately.');
			this.#controller.abort();
		};
		for (const signal of signals) {
			process.on(signal, heard);
		}
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	/** Work before the first run: a Ctrl-C in it ends the process at once. */
	async preparing<T>(work: () => Promise<T>): Promise<T> {
		if (this.#controller.signal.aborted) {
			this.#end();
		}
		this.#preparing++;
		try {
			return await work();
		} finally {
			this.#preparing--;
		}
	}

	/** To be called where the process ends at once, before what was handed in earlier. */
	onEnd(last: () => void): void {
		this.#last.push(last);
	}

	#end(): never {
		for (const each of this.#last.toReversed()) {
			each();
		}
		process.exit(exitCodes.interrupted);
	}
}
