import { type FileHandle, open } from 'node:fs/promises';
import { tryParseJson } from '#base/text/json.ts';
import { EventLoopYield } from '#base/timing/eventLoopYield.ts';
import type { CaseResult, CaseRun, Outcome, SuiteSummary } from '#suites/results/caseResult.ts';
import type { Baseline, Change } from '#suites/results/comparison.ts';
import { type ResultHead, toResultLine } from '#suites/results/resultFile.ts';

/** Number of bytes per read. */
const chunkSize = 1 << 20;
/** Number of bytes after which {@link ResultIndex.updateIndex} returns, so that the page can show the results read so far. */
const maxBytesPerUpdate = 8 * chunkSize;
const lineFeed = 10;
/** Maximum length of a failure text. Results with equal failure texts form a group. */
const longestFailure = 200;

/** The position of a result in the file, and the values that lists use to sort, filter and group results. */
export interface IndexedResult {
	/** Offset in bytes. */
	readonly offset: number;
	readonly length: number;
	readonly ordinal: number;
	readonly name: string;
	readonly outcome: Outcome;
	readonly score: number;
	readonly seconds: number;
	readonly tokens: number;
	readonly cost: number;
	/** Why the case didn't pass: its error, or the names of the failed checks. Empty if it passed. */
	readonly failure: string;
	/** How the result differs from the baseline, if there is a baseline. */
	readonly change?: Change;
	readonly row?: number;
	/** More fields of results of variants, which are compared. */
	readonly run?: Pick<CaseRun, 'seconds' | 'tokens' | 'cost' | 'currency'>;
	readonly repeated?: NonNullable<CaseResult['repeated']>;
	readonly used?: NonNullable<CaseResult['used']>;
}

/** Thrown if the results in a file aren't where they were indexed, because the file was replaced or damaged. */
export class ChangedResults extends Error {
	override readonly name = 'ChangedResults';
}

/**
 * Indexes the results in a file by position, so that 100,000 results can be listed without keeping them in memory. Follows the file as it
 * grows, and starts over if it's replaced or truncated: a resumed batch writes a new file without the results that it repeats. If a case was
 * rerun, its last result counts.
 */
export class ResultIndex {
	readonly #file: string;
	readonly #baseline: Baseline | undefined;
	readonly #byOrdinal = new Map<number, number>();
	#entries: IndexedResult[] = [];
	#end = 0;
	/** Identifies the file that was read; 0 before the first read. */
	#inode = 0;
	#version = 0;
	#isWhole = true;
	#reading: Promise<unknown> = Promise.resolve();
	head: ResultHead | undefined;
	summary: SuiteSummary | undefined;

	constructor(file: string, baseline: Baseline | undefined) {
		this.#file = file;
		this.#baseline = baseline;
	}

	/** Entries in the order in which the cases finished. */
	get entries(): readonly IndexedResult[] {
		return this.#entries;
	}

	/** Number of bytes read so far, up to the end of a line. */
	get end(): number {
		return this.#end;
	}
	/** Number of times that the index started over. Positions of another version mean nothing. */
	get version(): number {
		return this.#version;
	}
	/** True if the last read reached the end of the file. */
	get isWhole(): boolean {
		return this.#isWhole;
	}

	/**
	 * Reads new results, about 10,000 at most. Returns true if there were any. The next calls read the rest, see {@link isWhole}. Rejects if
	 * the file can't be read.
	 */
	updateIndex(): Promise<boolean> {
		const reading = this.#reading.then(() => this.#readNewResults());
		this.#reading = reading.catch(() => undefined);
		return reading;
	}

	/** Reads the complete results for these entries, in order. Rejects with {@link ChangedResults} if others are in their place. */
	async readResults(entries: readonly IndexedResult[]): Promise<CaseResult[]> {
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

	async #readNewResults(): Promise<boolean> {
		const handle = await open(this.#file);
		const version = this.#version;
		let before = this.#end;
		try {
			const { size, ino } = await handle.stat();
			if (size < this.#end || (this.#inode !== 0 && this.#inode !== ino)) {
				this.#startOver();
				before = 0;
			}
			this.#inode = ino;
			// read less the first time, so that the first rows appear immediately
			const most = before === 0 ? chunkSize : maxBytesPerUpdate;
			const yielder = new EventLoopYield();
			const piece = Buffer.alloc(chunkSize);
			let rest: Buffer = Buffer.alloc(0);
			this.#isWhole = false;
			while (this.#end - before < most) {
				const { bytesRead } = await handle.read(piece, 0, chunkSize, this.#end + rest.length);
				if (bytesRead === 0) {
					this.#isWhole = true;
					break;
				}
				// a line that is still being written is read once it is complete
				rest = await this.#consumeChunk(Buffer.concat([rest, piece.subarray(0, bytesRead)]), yielder);
			}
		} finally {
			await handle.close();
		}
		return this.#end > before || this.#version > version;
	}

	#startOver(): void {
		this.#version++;
		this.#byOrdinal.clear();
		this.#entries = [];
		this.#end = 0;
		this.head = undefined;
		this.summary = undefined;
	}

	/** Indexes the complete lines of a chunk. Returns the remaining bytes. */
	async #consumeChunk(bytes: Buffer, yielder: EventLoopYield): Promise<Buffer> {
		let start = 0;
		for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
			this.#indexLine(bytes.toString('utf8', start, end), this.#end, end - start);
			this.#end += end + 1 - start;
			start = end + 1;
			if (yielder.isDue) {
				await yielder.yieldTurn();
			}
		}
		return bytes.subarray(start);
	}

	#indexLine(text: string, offset: number, length: number): void {
		// a process that was killed while writing may have left a partial line, which is invalid JSON
		const line = toResultLine(tryParseJson(text));
		if (line && 'head' in line) {
			this.head = line.head;
		} else if (line && 'summary' in line) {
			this.summary = line.summary;
		} else if (line) {
			// the batch was resumed after it had finished
			this.summary = undefined;
			const entry = createIndexedResult(line.result, offset, length, this.#baseline);
			const known = this.#byOrdinal.get(entry.ordinal);
			this.#byOrdinal.set(entry.ordinal, known ?? this.#entries.length);
			this.#entries[known ?? this.#entries.length] = entry;
		}
	}
}

function createIndexedResult(result: CaseResult, offset: number, length: number, baseline: Baseline | undefined): IndexedResult {
	const { ordinal, name, row, outcome, score, seconds, run } = result;
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
		failure: getFailureText(result).slice(0, longestFailure),
		...(baseline && { change: baseline.compareResult(result) }),
		...(row !== undefined && { row }),
		...(result.variant !== undefined && pickComparedFields(result)),
	};
}

function pickComparedFields({ run, repeated, used }: CaseResult): Pick<IndexedResult, 'run' | 'repeated' | 'used'> {
	const { cost, currency } = run ?? {};
	return {
		...(run && {
			run: { seconds: run.seconds, tokens: run.tokens, ...(cost !== undefined && { cost }), ...(currency !== undefined && { currency }) },
		}),
		...(repeated && { repeated }),
		...(used && { used }),
	};
}

function getFailureText({ outcome, fault, run, checks }: CaseResult): string {
	if (outcome === 'passed') {
		return '';
	}
	const failed = checks.filter(({ passed, weight }) => !passed && weight !== 0).map(({ name }) => name);
	return fault ?? (failed.length > 0 ? failed.join('; ') : (run?.error ?? outcome));
}

async function readTextAt(handle: FileHandle, { offset, length }: IndexedResult): Promise<string> {
	const bytes = Buffer.alloc(length);
	await handle.read(bytes, 0, length, offset);
	return bytes.toString('utf8');
}

async function readResultAt(handle: FileHandle, entry: IndexedResult): Promise<CaseResult> {
	const line = toResultLine(tryParseJson(await readTextAt(handle, entry)));
	if (!line || !('result' in line) || line.result.ordinal !== entry.ordinal) {
		throw new ChangedResults(`The results in the file have changed: expected those of '${entry.name}'.`);
	}
	return line.result;
}
