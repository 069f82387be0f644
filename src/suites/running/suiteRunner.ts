import type { Suite } from '../suite.ts';
import type { SuiteEvent } from './suiteEvents.ts';
import type { SuiteService } from './suiteService.ts';

/** What a runner needs for its life. */
export interface SuiteRunnerParts {
	/** Code of the threads that checks run in: `checkThread.js` beside the bundle, `src/suites/checks/thread/checkThread.ts` from source. */
	readonly checkThread: URL;
}

/** How a batch is run. */
export interface SuiteRunOptions {
	/** Result file that each result is appended to as it comes. */
	readonly resultFile: string;
	/** Goes on where the batch of that file was interrupted; without it the file is begun anew. */
	readonly resume?: boolean;
	/** Calls the batch off: runs that go on are stopped at the service first, and have no result. */
	readonly signal?: AbortSignal;
	/** Cases that are run; all where it is absent. */
	readonly filter?: (each: { readonly ordinal: number; readonly name: string; readonly row?: number }) => boolean;
	/** Take the place of what the suite says. */
	readonly concurrency?: number;
	readonly repeat?: number;
	/** Ends after the first case that did not pass. */
	readonly bail?: boolean;
	/** Accepts what `snapshot` checks find. */
	readonly update?: boolean;
	/** Notes in each result what the run covered. */
	readonly coverage?: boolean;
}

/** A batch that cannot be run: its result file is of another suite or of one that has changed (`changed`), or cannot be written (`file`). */
export class SuiteRunError extends Error {
	override readonly name = 'SuiteRunError';
	readonly reason: 'changed' | 'file';

	constructor(reason: SuiteRunError['reason'], message: string, options?: ErrorOptions) {
		super(message, options);
		this.reason = reason;
	}
}

/** Runs suites. The same runs under editor and command line; one instance serves any number of batches, also at the same time. */
export class SuiteRunner {
	readonly #parts: SuiteRunnerParts;

	constructor(parts: SuiteRunnerParts) {
		this.#parts = parts;
	}

	/**
	 * Runs a suite on a service and tells how it goes; see {@link SuiteEvent}. Leaving the loop calls the batch off as the signal does.
	 * Throws a {@link SuiteRunError} before anything is run. A service that is not reached is no error: its cases are `not-run`.
	 */
	async *run(suite: Suite, service: SuiteService, options: SuiteRunOptions): AsyncGenerator<SuiteEvent, void> {
		throw new Error(`not written yet: ${suite.name} ${service.name} ${options.resultFile} ${this.#parts.checkThread}`);
	}

	/** Ends the threads of checks. */
	async close(): Promise<void> {}
}
