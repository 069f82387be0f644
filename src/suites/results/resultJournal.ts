import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CaseResult, SuiteSummary } from './caseResult.ts';
import { type ResultHead, type ResultLine, resultLines } from './resultFile.ts';

/** Milliseconds between two writes, and lines that are written without waiting for them: handing a write to the disk costs as much as a run that is quick. */
const pauseMs = 20;
const mostWaiting = 32;

/**
 * Writes a result file, line by line: a result is in the file when {@link append} resolves, and stays there whatever becomes of the process. What comes while
 * a write is under way, or soon after one, goes into the next, so that many rows a second take few of them.
 */
export class ResultJournal {
	readonly #handle: FileHandle;
	readonly #waiting: ResultLine[] = [];
	/** The write that takes along what waits; absent where nothing does. */
	#next: Promise<void> | undefined;
	#last: Promise<void> = Promise.resolve();
	/** When the last write began, as `performance.now()` has it. */
	#wroteAt = Number.NEGATIVE_INFINITY;
	/** Ends the pause before {@link #next}. */
	#hurry: () => void = () => undefined;

	private constructor(handle: FileHandle) {
		this.#handle = handle;
	}

	/** Begins a file anew. Rejects where it cannot be written. */
	static async begin(file: string, head: ResultHead): Promise<ResultJournal> {
		await mkdir(path.dirname(file), { recursive: true });
		const journal = new ResultJournal(await open(file, 'w'));
		try {
			await journal.#write({ head });
		} catch (error) {
			await journal.#handle.close();
			throw error;
		}
		return journal;
	}

	/**
	 * Goes on with a file. `keep` is asked about each result in it, and what it does not keep is no longer there. `undefined` where the file is of another
	 * suite, or of one that has changed; rejects where it cannot be read or written.
	 */
	static async resume(file: string, head: ResultHead, keep: (result: CaseResult) => boolean): Promise<ResultJournal | undefined> {
		const beside = `${file}.${randomUUID()}`;
		const copy = new ResultJournal(await open(beside, 'w'));
		const kept: ResultLine[] = [];
		try {
			let known = false;
			for await (const line of resultLines(file)) {
				if ('head' in line) {
					known = line.head.suite === head.suite && line.head.fingerprint === head.fingerprint;
				}
				if (!known) {
					break;
				}
				if ('head' in line || ('result' in line && keep(line.result))) {
					kept.push(line);
				}
				if (kept.length >= mostWaiting) {
					await copy.#put(kept);
				}
			}
			if (!known) {
				await copy.close();
				await rm(beside);
				return undefined;
			}
			await copy.#put(kept);
			await rename(beside, file);
			return copy;
		} catch (error) {
			await copy.close();
			await rm(beside, { force: true });
			throw error;
		}
	}

	/** Writes a result. */
	append(result: CaseResult): Promise<void> {
		return this.#write({ result });
	}

	/** Writes the sums: the batch has come to its end. */
	async end(summary: SuiteSummary): Promise<void> {
		const written = this.#write({ summary });
		this.flush();
		await written;
	}

	/** Writes what waits for company at once. */
	flush(): void {
		this.#hurry();
	}

	/** Closes the file. */
	async close(): Promise<void> {
		this.flush();
		await this.#last;
		await this.#handle.close();
	}

	#write(line: ResultLine): Promise<void> {
		this.#waiting.push(line);
		if (!this.#next) {
			const pause = Promise.withResolvers<void>();
			this.#hurry = pause.resolve;
			this.#next = this.#writeWaiting(this.#last, pause);
			this.#last = this.#next.catch(() => undefined);
		}
		if (this.#waiting.length >= mostWaiting) {
			this.flush();
		}
		return this.#next;
	}

	async #writeWaiting(last: Promise<void>, pause: PromiseWithResolvers<void>): Promise<void> {
		await last;
		const left = this.#wroteAt + pauseMs - performance.now();
		if (left > 0) {
			const timer = setTimeout(pause.resolve, left);
			await pause.promise;
			clearTimeout(timer);
		}
		this.#wroteAt = performance.now();
		this.#next = undefined;
		await this.#put(this.#waiting);
	}

	/** Writes lines, and takes them from the list. */
	async #put(lines: ResultLine[]): Promise<void> {
		const text = lines.splice(0).map(line => `${JSON.stringify(line)}\n`);
		await this.#handle.appendFile(text.join(''));
	}
}
