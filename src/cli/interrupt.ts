import { exitCodes } from './cliFault.ts';

/** Signals that ask a program to end: Ctrl-C, a job that is called off, a terminal that closes. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ctrl-C as an abort: the first asks for an orderly end, in which runs are stopped at their service; the second ends the process at once.
 */
export class Interrupt {
	readonly #controller = new AbortController();
	/** What a process that ends at once still does, synchronously. */
	readonly #last: (() => void)[] = [];

	/** @param tell shows a line to the user */
	constructor(tell: (line: string) => void) {
		const heard = () => {
			if (this.#controller.signal.aborted) {
				for (const each of this.#last) {
					each();
				}
				process.exit(exitCodes.interrupted);
			}
			tell('Stopping the runs that go on. Ctrl-C again ends at once.');
			this.#controller.abort();
		};
		for (const signal of signals) {
			process.on(signal, heard);
		}
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	/** To be called where the process ends at once. */
	onEnd(last: () => void): void {
		this.#last.push(last);
	}
}
