import type { NotMapped } from './importReading.ts';

/** A suite made from the file of another tool. */
export interface ImportedSuite {
	/** Content of the suite file. */
	readonly suite: Readonly<Record<string, unknown>>;
	/** Rows of its dataset, to be written as JSONL to the file that the suite names. */
	readonly rows?: readonly Readonly<Record<string, unknown>>[];
	/** Number of test cases, including rows. */
	readonly cases: number;
	/** What the suite doesn't have, up to a limit, and the number of all such parts. */
	readonly notMapped: readonly NotMapped[];
	readonly notMappedCount: number;
}

/** How to run the imported test cases. */
export interface ImportTarget {
	/** Agent to test; `undefined` for a request to a model. */
	readonly agent: string | undefined;
	/** Output of the agent that is checked. */
	readonly output: string;
	/** Model of requests, instead of those that the file names. */
	readonly model: string | undefined;
	/** Name of the file for the rows of a dataset, next to the suite. */
	readonly rowsFile: string;
}
