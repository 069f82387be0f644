import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CaseResult, SuiteSummary } from './caseResult.ts';
import { type ResultHead, type ResultLine, resultLines } from './resultFile.ts';

/**
 * Writes a result file, line by line: a result is in the file when {@link append} resolves, and stays there whatever becomes of the process. What comes while
 * a write is under way goes into the next, so that many rows a second take few of them.
 */
export class ResultJournal {
	readonly #handle: FileHandle;
	readonly #waiting: string[] = [];
	/** The write that takes along what waits; absent where nothing does. */
	#next: Promise<void> | undefined;
	#last: Promise<void> = Promise.resolve();

	private constructor(handle: FileHandle) {
		this.#handle = handle;
	}

	/** Begins a file anew. Rejects where it cannot be written. */
	static async begin(file: string, head: ResultHead): Promise<ResultJournal> {
		await mkdir(path.dirname(file), { recursive: true });
		const journal = new ResultJournal(await open(file, 'w'));
		await journal.#write({ head });
		return journal;
	}

	/**
	 * Goes on with a file. `keep` is asked about each result in it, and what it does not keep is no longer there. `undefined` where the file is of another
	 * suite, or of one that has changed; rejects where it cannot be read or written.
	 */
	static async resume(file: string, head: ResultHead, keep: (result: CaseResult) => boolean): Promise<ResultJournal | undefined> {
		const beside = `${file}.${randomUUID()}`;
		const copy = new ResultJournal(await open(beside, 'w'));
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
					await copy.#write(line);
				}
			}
			if (!known) {
				await copy.close();
				await rm(beside);
				return undefined;
			}
			await rename(beside, file);
			return copy;
		} catch (error) {
			await copy.close();
			await rm(beside, { force: true });
			throw error;
		}
	}

	/** Writes a result. */
	async append(result: CaseResult): Promise<void> {
		await this.#write({ result });
	}

	/** Writes the sums: the batch has come to its end. */
	async end(summary: SuiteSummary): Promise<void> {
		await this.#write({ summary });
	}

	/** Closes the file. */
	async close(): Promise<void> {
		await this.#last;
		await this.#handle.close();
	}

	async #write(line: ResultLine): Promise<void> {
		this.#waiting.push(`${JSON.stringify(line)}\n`);
		if (!this.#next) {
			this.#next = this.#last.then(async () => {
				this.#next = undefined;
				await this.#handle.appendFile(this.#waiting.splice(0).join(''));
			});
			this.#last = this.#next.catch(() => undefined);
		}
		await this.#next;
	}
}
