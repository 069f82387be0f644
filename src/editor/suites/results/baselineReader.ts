import type { LogOutputChannel } from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import { Baseline } from '#suites/results/comparison.ts';

/** Reads and caches the baseline that the results of a page are compared with. */
export class BaselineReader {
	readonly #log: Pick<LogOutputChannel, 'warn'>;
	#baseline: Baseline | undefined;
	#reading: string | undefined;

	constructor(log: Pick<LogOutputChannel, 'warn'>) {
		this.#log = log;
	}

	/** True until {@link endReading} is called. */
	get isReading(): boolean {
		return this.#reading !== undefined;
	}

	/** Returns the baseline of a result file if it was read last. */
	getBaseline(file: string | undefined): Baseline | undefined {
		return this.#baseline?.file === file ? this.#baseline : undefined;
	}

	/** Drops the baseline, so that it's read again. */
	clear(): void {
		this.#baseline = undefined;
	}

	/** Reads a result file. Resolves to false if it's already being read. Logs why it can't be read. */
	async startReading(file: string): Promise<boolean> {
		if (this.#reading === file) {
			return false;
		}
		this.#reading = file;
		try {
			this.#baseline = await Baseline.readResultFile(file);
		} catch (error) {
			this.#log.warn(`Results: ${getErrorMessage(error)}`);
		}
		return true;
	}

	/** Ends the reading of a file. Returns true if its baseline can be compared with. */
	endReading(file: string): boolean {
		if (this.#reading === file) {
			this.#reading = undefined;
		}
		return this.getBaseline(file) !== undefined;
	}
}
