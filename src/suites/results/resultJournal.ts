import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { renameFile } from '#base/files/renameFile.ts';
import { FileWriteError } from '#base/files/writeFailure.ts';
import type { CaseResult, SuiteSummary } from './caseResult.ts';
import { type ResultHead, type ResultLine, readResultLines } from './resultFile.ts';

/** Milliseconds between two writes, and the number of lines that triggers an immediate write. A write takes as long as a quick run. */
const pauseMs = 20;
const mostWaiting = 32;

/**
 * Writes a result file line by line. A result is stored when {@link appendResult} resolves, even if the process crashes. Lines that arrive
 * during or soon after a write are combined into the next one.
 */
export class ResultJournal {
	readonly #file: string;
	readonly #handle: FileHandle;
	readonly #waiting: ResultLine[] = [];
	/** The next write, which includes all queued lines; `undefined` if there are none. */
	#next: Promise<void> | undefined;
	#last: Promise<void> = Promise.resolve();
	/** Start of the last write, from `performance.now()`. */
	#wroteAt = Number.NEGATIVE_INFINITY;
	#hurry: () => void = () => undefined;

	private constructor(file: string, handle: FileHandle) {
		this.#file = file;
		this.#handle = handle;
	}

	/** Creates or overwrites a file. Rejects with a {@link FileWriteError} if it can't be written. */
	static async createFile(file: string, head: ResultHead): Promise<ResultJournal> {
		const journal = new ResultJournal(file, await openNewFile(file, file));
		try {
			await journal.#queueLine({ head });
		} catch (error) {
			await journal.#handle.close();
			throw error;
		}
		return journal;
	}

	/**
	 * Resumes a file. Removes results for which `keep` returns false. Returns `undefined` if the file is from another suite or an earlier
	 * version of it; rejects if it can't be read or written.
	 */
	static async resumeFile(file: string, head: ResultHead, keep: (result: CaseResult) => boolean): Promise<ResultJournal | undefined> {
		const beside = `${file}.${randomUUID()}`;
		const copy = new ResultJournal(file, await openNewFile(beside, file));
		const kept: ResultLine[] = [];
		try {
			let known = false;
			for await (const line of readResultLines(file)) {
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
					await copy.#writeLines(kept);
				}
			}
			if (!known) {
				await copy.close();
				await rm(beside);
				return undefined;
			}
			await copy.#writeLines(kept);
			await renameFile(beside, file).catch((error: unknown) => {
				throw new FileWriteError(file, error);
			});
			return copy;
		} catch (error) {
			await copy.close();
			await rm(beside, { force: true });
			throw error;
		}
	}

	appendResult(result: CaseResult): Promise<void> {
		return this.#queueLine({ result });
	}

	/** Writes the totals of a finished batch. */
	async writeSummary(summary: SuiteSummary): Promise<void> {
		const written = this.#queueLine({ summary });
		this.flushLines();
		await written;
	}

	/** Writes queued lines without a pause. */
	flushLines(): void {
		this.#hurry();
	}

	async close(): Promise<void> {
		this.flushLines();
		await this.#last;
		await this.#handle.close();
	}

	#queueLine(line: ResultLine): Promise<void> {
		this.#waiting.push(line);
		if (!this.#next) {
			const pause = Promise.withResolvers<void>();
			this.#hurry = pause.resolve;
			this.#next = this.#writeQueuedLines(this.#last, pause);
			this.#last = this.#next.catch(() => undefined);
		}
		if (this.#waiting.length >= mostWaiting) {
			this.flushLines();
		}
		return this.#next;
	}

	async #writeQueuedLines(last: Promise<void>, pause: PromiseWithResolvers<void>): Promise<void> {
		await last;
		const left = this.#wroteAt + pauseMs - performance.now();
		if (left > 0) {
			const timer = setTimeout(pause.resolve, left);
			await pause.promise;
			clearTimeout(timer);
		}
		this.#wroteAt = performance.now();
		this.#next = undefined;
		await this.#writeLines(this.#waiting);
	}

	/** Writes lines and removes them from the list. */
	async #writeLines(lines: ResultLine[]): Promise<void> {
		const text = lines.splice(0).map(line => `${JSON.stringify(line)}\n`);
		try {
			await this.#handle.appendFile(text.join(''));
		} catch (error) {
			throw new FileWriteError(this.#file, error);
		}
	}
}

/** Creates a file and its folder. Errors name the file that it stands for. */
async function openNewFile(file: string, named: string): Promise<FileHandle> {
	try {
		await mkdir(path.dirname(file), { recursive: true });
		return await open(file, 'w');
	} catch (error) {
		throw new FileWriteError(named, error);
	}
}
