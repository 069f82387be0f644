import type { CaseResult, SuiteSummary } from './caseResult.ts';

/** First line of a result file. */
export interface ResultHead {
	readonly version: 1;
	/** Absolute path of the suite. */
	readonly suite: string;
	readonly fingerprint: string;
	/** Name of the connection. */
	readonly connection: string;
	/** Unix milliseconds. */
	readonly startedAt: number;
}

/** A result file as it stands; one without a summary was interrupted and can be resumed. */
export interface ResultFileState {
	readonly head: ResultHead;
	readonly summary: SuiteSummary | undefined;
	/** Results in it. */
	readonly count: number;
}

/** Head, summary and number of results of a file; `undefined` for what is no result file. */
export async function resultFileState(file: string): Promise<ResultFileState | undefined> {
	throw new Error(`not written yet: ${file}`);
}

/** Results of a file in the order in which they came, read as they are asked for. A last line that was cut off by the end of a process is left out. */
export async function* readResults(file: string): AsyncGenerator<CaseResult, void> {
	throw new Error(`not written yet: ${file}`);
}
