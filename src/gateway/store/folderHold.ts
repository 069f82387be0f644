import { DatabaseSync } from 'node:sqlite';

/** Another process holds the folder. */
export class StoreInUseError extends Error {
	override readonly name = 'StoreInUseError';
}

/**
 * Keeps a data folder to one process: SQLite's lock on a file of its own, which the system takes back from a process that dies. No process ID has to be
 * looked up, and of several that start at once one wins.
 */
export class FolderHold {
	readonly #db: DatabaseSync;

	/** Takes hold of a folder by this file. Throws {@link StoreInUseError}. */
	constructor(file: string) {
		this.#db = new DatabaseSync(file, { timeout: 0 });
		try {
			this.#db.exec('BEGIN EXCLUSIVE');
		} catch (error) {
			this.#db.close();
			throw isBusy(error) ? new StoreInUseError(`${file} is held by another process`) : error;
		}
	}

	release(): void {
		this.#db.close();
	}
}

/** SQLITE_BUSY, SQLITE_LOCKED. */
function isBusy(error: unknown): boolean {
	const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
	return code === 5 || code === 6;
}
