import type { LogOutputChannel } from 'vscode';
import { getErrorMessage, isCancellation } from '#base/problems.ts';

interface PageRequestsParts {
	/** Name of the page in the log. */
	readonly name: string;
	readonly log: Pick<LogOutputChannel, 'warn'>;
	/** Sends the error to the page. */
	readonly showProblem: () => unknown;
}

/** Handles the requests of a page one after another, and keeps their last error for the page. */
export class PageRequests {
	/** Message of the last error. */
	problem: string | undefined;
	readonly #parts: PageRequestsParts;
	#turn: Promise<void> = Promise.resolve();

	constructor(parts: PageRequestsParts) {
		this.#parts = parts;
	}

	/** Handles a request after the earlier ones. Never rejects, because later requests wait for this one. */
	enqueue(act: () => Promise<unknown>): Promise<void> {
		this.#turn = this.#turn
			.then(() => this.showErrors(act()))
			.catch((error: unknown) => this.#parts.log.warn(`${this.#parts.name}: ${getErrorMessage(error)}`));
		return this.#turn;
	}

	/** Waits for work, and shows its error on the page if it fails. */
	async showErrors(work: Promise<unknown>): Promise<void> {
		try {
			await work;
		} catch (error) {
			if (!isCancellation(error)) {
				this.problem = getErrorMessage(error);
				this.#parts.log.warn(`${this.#parts.name}: ${this.problem}`);
				await this.#parts.showProblem();
			}
		}
	}
}
