import fs from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RunRecord } from './runTypes.ts';

/**
 * The history of runs on disk, one JSON file. Not the editor's state of the workspace: that is written some time after it was set, and a window that
 * is reloaded before then forgets a run that goes on. Each write goes to a file beside and is renamed over the old one.
 */
export class RunHistory {
	readonly #file: string;
	readonly #failed: (error: unknown) => void;
	/** What is to be written once the write that goes on has ended. */
	#next: readonly RunRecord[] | undefined;
	#writing = false;
	#closed = false;

	/** `failed` hears of writes that fail, such as on a full disk: runs go on, their history ends with the window. */
	constructor(dataFolder: string, failed: (error: unknown) => void) {
		this.#file = path.join(dataFolder, 'runs.json');
		this.#failed = failed;
	}

	/** Records as they were kept last, oldest first; none where there is no file, or none that can be read. */
	read(): readonly RunRecord[] {
		try {
			const records: unknown = JSON.parse(fs.readFileSync(this.#file, 'utf8'));
			return Array.isArray(records) ? records : [];
		} catch {
			return [];
		}
	}

	/** Keeps these records; while a write goes on only the last of what comes is written. */
	write(records: readonly RunRecord[]): void {
		this.#next = records;
		if (!this.#writing && !this.#closed) {
			this.#writing = true;
			void this.#work();
		}
	}

	/** Keeps these records before it returns: the window closes, and nobody waits for what is written later. */
	close(records: readonly RunRecord[]): void {
		this.#closed = true;
		try {
			const beside = `${this.#file}.${process.pid}.last.tmp`;
			fs.mkdirSync(path.dirname(this.#file), { recursive: true });
			fs.writeFileSync(beside, JSON.stringify(records), { mode: 0o600 });
			fs.renameSync(beside, this.#file);
		} catch (error) {
			this.#failed(error);
		}
	}

	async #work(): Promise<void> {
		const beside = `${this.#file}.${process.pid}.tmp`;
		while (this.#next && !this.#closed) {
			const text = JSON.stringify(this.#next);
			this.#next = undefined;
			try {
				fs.mkdirSync(path.dirname(this.#file), { recursive: true });
				await writeFile(beside, text, { mode: 0o600 });
				if (!this.#closed) {
					// at once, so that no renaming that goes on can undo what close() has written
					fs.renameSync(beside, this.#file);
				}
			} catch (error) {
				if (!this.#closed) {
					this.#failed(error);
				}
			}
		}
		this.#writing = false;
	}
}
