import fs from 'node:fs/promises';
import path from 'node:path';
import { describeWriteFailure } from '#base/files/writeFailure.ts';
import { CliFault } from '../cliFault.ts';

/** Buffer size in characters. */
const batch = 64 * 1024;

/** A report file written in chunks. All methods reject with a {@link CliFault} that names the option and the file. */
export class ReportFile {
	readonly #option: string;
	readonly #file: string;
	readonly #handle: fs.FileHandle;
	#pending = '';

	private constructor(option: string, file: string, handle: fs.FileHandle) {
		this.#option = option;
		this.#file = file;
		this.#handle = handle;
	}

	/**
	 * Opens the file before anything runs, so that errors are found early. Creates missing folders.
	 *
	 * @param option the option that names the file, for messages
	 */
	static async openFile(option: string, file: string, { append = false } = {}): Promise<ReportFile> {
		try {
			await fs.mkdir(path.dirname(path.resolve(file)), { recursive: true });
			return new ReportFile(option, file, await fs.open(file, append ? 'a' : 'w'));
		} catch (error) {
			throw createWriteFault(option, file, error);
		}
	}

	async write(text: string): Promise<void> {
		this.#pending += text;
		if (this.#pending.length >= batch) {
			await this.#flushBuffer();
		}
	}

	async close(): Promise<void> {
		try {
			await this.#flushBuffer();
		} finally {
			await this.#handle.close();
		}
	}

	async #flushBuffer(): Promise<void> {
		const bytes = Buffer.from(this.#pending);
		this.#pending = '';
		try {
			for (let done = 0; done < bytes.length; ) {
				done += (await this.#handle.write(bytes, done)).bytesWritten;
			}
		} catch (error) {
			throw createWriteFault(this.#option, this.#file, error);
		}
	}
}

function createWriteFault(option: string, file: string, error: unknown): CliFault {
	return new CliFault(`--${option} ${file}: couldn't write the file: ${describeWriteFailure(error)}.`);
}
