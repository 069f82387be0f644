import { readLines } from '#base/files/readLines.ts';
import { parsed } from '../checks/valuePath.ts';
import type { CaseResult, SuiteSummary } from './caseResult.ts';

/** First line of a result file. */
export interface ResultHead {
	readonly version: 1;
	/** Absolute path of the suite. */
	readonly suite: string;
	readonly fingerprint: string;
	/** Name of the connection. */
	readonly connection: string;
	/** Hashes of what else the results depend on, by the name of each; absent in older files. */
	readonly depends?: Readonly<Record<string, string>>;
	/** Unix milliseconds. */
	readonly startedAt: number;
}

/** A line of a result file: the head, then results in the order in which they came, then the sums where the batch came to its end. */
export type ResultLine = { readonly head: ResultHead } | { readonly result: CaseResult } | { readonly summary: SuiteSummary };

/** A result file as it stands; one without a summary was interrupted and can be resumed. */
interface ResultFileState {
	readonly head: ResultHead;
	readonly summary: SuiteSummary | undefined;
	/** Results in it. */
	readonly count: number;
}

/** Head, summary and number of results of a file; `undefined` for what is no result file. Rejects where it cannot be read. */
export async function resultFileState(file: string): Promise<ResultFileState | undefined> {
	let head: ResultHead | undefined;
	let summary: SuiteSummary | undefined;
	let count = 0;
	for await (const line of resultLines(file)) {
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

/** Results of a file in the order in which they came, read as they are asked for. A last line that was cut off by the end of a process is left out. */
export async function* readResults(file: string): AsyncGenerator<CaseResult, void> {
	for await (const line of resultLines(file)) {
		if ('result' in line) {
			yield line.result;
		}
	}
}

/** The head of a file, and what may be results of one case: lines of others are passed over as texts, which of a long file takes a fraction of the time. */
export function linesOfCase(file: string, ordinal: number): AsyncGenerator<ResultLine, void> {
	const own = `"ordinal":${ordinal},`;
	return resultLines(file, text => text.startsWith('{"head"') || text.includes(own));
}

/** All lines of a file that are whole, or those whose text is `wanted`. */
export async function* resultLines(file: string, wanted: (text: string) => boolean = () => true): AsyncGenerator<ResultLine, void> {
	for await (const text of readLines(file)) {
		const line = wanted(text) ? parsed(text) : undefined;
		if (isObject(line) && isLine(line)) {
			yield line as unknown as ResultLine;
		}
	}
}

/** Whether a line has exactly one part, and it's an object. */
function isLine(line: Readonly<Record<string, unknown>>): boolean {
	const parts = ['head', 'result', 'summary'].filter(part => part in line);
	return parts.length === 1 && isObject(line[parts[0] ?? '']);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}
