import { type FileHandle, open } from 'node:fs/promises';
import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { Breath } from '#base/timing/breath.ts';
import type { CaseResult, Outcome, SuiteSummary } from '#suites/results/caseResult.ts';
import type { Baseline, Change } from '#suites/results/comparison.ts';
import type { ResultHead, ResultLine } from '#suites/results/resultFile.ts';

/** Bytes that are read at a time. */
const chunkSize = 1 << 20;
/** Bytes after which whoever reads shows what there is. */
const maxBytesPerUpdate = 8 * chunkSize;
const lineFeed = 10;
/** Characters of why a case failed: cases that failed alike are told by these. */
const longestFailure = 200;

/** What is kept of a result beside its place in the file: what lists are sorted, filtered and grouped by. */
export interface IndexedResult {
	/** In bytes. */
	readonly offset: number;
	readonly length: number;
	readonly ordinal: number;
	readonly name: string;
	readonly outcome: Outcome;
	readonly score: number;
	readonly seconds: number;
	readonly tokens: number;
	readonly cost: number;
	/** Why it did not pass: its fault, else the names of the checks that failed; empty for one that passed. */
	readonly failure: string;
	/** How it differs from the baseline, where there is one. */
	readonly change?: Change;
}

/**
 * The results of a file by their places in it: 100,000 of them are listed without being kept. Read as the file grows; a case that was run again counts as it
 * came out last.
 */
export class ResultIndex {
	readonly #file: string;
	readonly #baseline: Baseline | undefined;
	readonly #byOrdinal = new Map<number, number>();
	#entries: IndexedResult[] = [];
	#end = 0;
	#isWhole = true;
	#reading: Promise<unknown> = Promise.resolve();
	head: ResultHead | undefined;
	summary: SuiteSummary | undefined;

	constructor(file: string, baseline: Baseline | undefined) {
		this.#file = file;
		this.#baseline = baseline;
	}

	/** In the order in which they came. */
	get entries(): readonly IndexedResult[] {
		return this.#entries;
	}

	/** Up to where it was read, in bytes: the end of a line. */
	get end(): number {
		return this.#end;
	}
	/** Whether there was nothing more in the file when it was read last. */
	get isWhole(): boolean {
		return this.#isWhole;
	}

	/**
	 * Reads what came to the file since, some 10,000 results at most; says whether that was anything. What is left is read by the next calls, see
	 * {@link isWhole}. Rejects where the file cannot be read.
	 */
	update(): Promise<boolean> {
		const reading = this.#reading.then(() => this.#readNew());
		this.#reading = reading.catch(() => undefined);
		return reading;
	}

	/** Results of these entries, whole, in their order. */
	async read(entries: readonly IndexedResult[]): Promise<CaseResult[]> {
		const handle = await open(this.#file);
		try {
			const results = [];
			for (const entry of entries) {
				results.push(await readResultAt(handle, entry));
			}
			return results;
		} finally {
			await handle.close();
		}
	}

	async #readNew(): Promise<boolean> {
		const before = this.#end;
		const handle = await open(this.#file);
		try {
			// the first rows are to be seen at once, whatever follows them
			const most = before === 0 ? chunkSize : maxBytesPerUpdate;
			const breath = new Breath();
			const piece = Buffer.alloc(chunkSize);
			let rest: Buffer = Buffer.alloc(0);
			this.#isWhole = false;
			while (this.#end - before < most) {
				const { bytesRead } = await handle.read(piece, 0, chunkSize, this.#end + rest.length);
				if (bytesRead === 0) {
					this.#isWhole = true;
					break;
				}
				// a line that is being written is read once it is whole
				rest = await this.#consumeChunk(Buffer.concat([rest, piece.subarray(0, bytesRead)]), breath);
			}
		} finally {
			await handle.close();
		}
		return this.#end > before;
	}

	/** Takes the lines of a piece that are whole; returns what is left of it. */
	async #consumeChunk(bytes: Buffer, breath: Breath): Promise<Buffer> {
		let start = 0;
		for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
			this.#indexLine(bytes.toString('utf8', start, end), this.#end, end - start);
			this.#end += end + 1 - start;
			start = end + 1;
			if (breath.isDue) {
				await breath.take();
			}
		}
		return bytes.subarray(start);
	}

	#indexLine(text: string, offset: number, length: number): void {
		const line = parseLine(text);
		if (line && 'head' in line) {
			this.head = line.head;
		} else if (line && 'summary' in line) {
			this.summary = line.summary;
		} else if (line) {
			// it goes on after it had come to its end
			this.summary = undefined;
			const entry = createEntry(line.result, offset, length, this.#baseline);
			const known = this.#byOrdinal.get(entry.ordinal);
			this.#byOrdinal.set(entry.ordinal, known ?? this.#entries.length);
			this.#entries[known ?? this.#entries.length] = entry;
		}
	}
}

function createEntry(result: CaseResult, offset: number, length: number, baseline: Baseline | undefined): IndexedResult {
	const { ordinal, name, outcome, score, seconds, run } = result;
	return {
		offset,
		length,
		ordinal,
		name,
		outcome,
		score,
		seconds: run?.seconds ?? seconds,
		tokens: run?.tokens ?? 0,
		cost: run?.cost ?? 0,
		failure: getFailure(result).slice(0, longestFailure),
		...(baseline && { change: baseline.changeOf(result) }),
	};
}

/** Why a case did not pass, in a few words. */
function getFailure({ outcome, fault, run, checks }: CaseResult): string {
	if (outcome === 'passed') {
		return '';
	}
	const failed = checks.filter(({ passed, weight }) => !passed && weight !== 0).map(({ name }) => name);
	return fault ?? (failed.length > 0 ? failed.join('; ') : (run?.error ?? outcome));
}

function parseLine(text: string): ResultLine | undefined {
	// not JSON: what a process left that ended while it wrote
	const line = tryParseJson(text);
	return isRecord(line) && ('head' in line || 'result' in line || 'summary' in line) ? (line as unknown as ResultLine) : undefined;
}

async function readTextAt(handle: FileHandle, { offset, length }: IndexedResult): Promise<string> {
	const bytes = Buffer.alloc(length);
	await handle.read(bytes, 0, length, offset);
	return bytes.toString('utf8');
}

async function readResultAt(handle: FileHandle, entry: IndexedResult): Promise<CaseResult> {
	return (JSON.parse(await readTextAt(handle, entry)) as { result: CaseResult }).result;
}
