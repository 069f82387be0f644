import { readLines } from '#base/files/readLines.ts';
import { isRecord } from '#base/records/plainValues.ts';
import { parseJsonValue } from '../checks/valuePath.ts';
import type { CaseResult, SuiteSummary } from './caseResult.ts';
import { toCaseResult } from './toCaseResult.ts';

/** The variants of a batch, in the order of their results. */
export interface ComparedVariants {
	readonly names: readonly string[];
	/** Name of the variant that the others are compared with. */
	readonly baseline: string;
	/** True if model replies could come from the cache, so that durations mean nothing. */
	readonly cached: boolean;
}

/** First line of a result file. */
export interface ResultHead {
	readonly version: 1;
	/** Absolute path of the suite. */
	readonly suite: string;
	readonly fingerprint: string;
	/** Name of the connection. */
	readonly connection: string;
	/** Hashes of other dependencies of the results, by name; absent in older files. */
	readonly depends?: Readonly<Record<string, string>>;
	/** The variants that the batch compares, if it does. */
	readonly matrix?: ComparedVariants;
	/** Start time in Unix milliseconds. */
	readonly startedAt: number;
}

/** A line of a result file: the head, then results in order of completion, then the totals if the batch finished. */
export type ResultLine = { readonly head: ResultHead } | { readonly result: CaseResult } | { readonly summary: SuiteSummary };

/** State of a result file. Without a summary, the batch was interrupted and can be resumed. */
interface ResultFileState {
	readonly head: ResultHead;
	readonly summary: SuiteSummary | undefined;
	/** Number of results. */
	readonly count: number;
}

/** Reads the head, summary and number of results of a file; `undefined` if it isn't a result file. Rejects if it can't be read. */
export async function readResultFileState(file: string): Promise<ResultFileState | undefined> {
	let head: ResultHead | undefined;
	let summary: SuiteSummary | undefined;
	let count = 0;
	for await (const line of readResultLines(file)) {
		if ('head' in line) {
			head = line.head;
		} else if (!head) {
			return undefined;
		} else if ('summary' in line) {
			summary = line.summary;
		} else {
			count++;
		}
	}
	return head && { head, summary, count };
}

/** Reads the results of a file on demand, in order of completion. Skips a last line that was cut off when a process ended. */
export async function* readResults(file: string): AsyncGenerator<CaseResult, void> {
	for await (const line of readResultLines(file)) {
		if ('result' in line) {
			yield line.result;
		}
	}
}

/** Reads the head of a file and possible results of one case. Other lines aren't parsed, which is much faster for long files. */
export function readCaseLines(file: string, ordinal: number): AsyncGenerator<ResultLine, void> {
	const own = `"ordinal":${ordinal},`;
	return readResultLines(file, text => text.startsWith('{"head"') || text.includes(own));
}

/** Reads the complete lines of a file, or those whose text is `wanted`. */
export async function* readResultLines(file: string, wanted: (text: string) => boolean = () => true): AsyncGenerator<ResultLine, void> {
	for await (const text of readLines(file)) {
		const line = wanted(text) ? toResultLine(parseJsonValue(text)) : undefined;
		if (line) {
			yield line;
		}
	}
}

/**
 * Returns a parsed line if it has exactly one part and that part is valid. The summary of an interrupted batch, which reports have, doesn't
 * count.
 */
export function toResultLine(line: unknown): ResultLine | undefined {
	const parts = isRecord(line) ? ['head', 'result', 'summary'].filter(part => Object.hasOwn(line, part)) : [];
	if (!isRecord(line) || parts.length !== 1) {
		return undefined;
	}
	const { head, result, summary } = line;
	const known = toCaseResult(result);
	return known
		? { result: known }
		: isRecord(head) && typeof head['suite'] === 'string'
			? { head: head as unknown as ResultHead }
			: isRecord(summary) && line['isPartial'] !== true
				? { summary: summary as unknown as SuiteSummary }
				: undefined;
}
