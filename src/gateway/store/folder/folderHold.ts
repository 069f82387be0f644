import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { toOpenFailure } from './storeFiles.ts';

/** Another process has locked the folder. */
export class StoreInUseError extends Error {
	override readonly name = 'StoreInUseError';
}

/**
 * Locks a data folder for one process with SQLite's lock on a separate file. The system releases this lock when the process dies, so no
 * process ID has to be checked. If several processes start at once, exactly one gets the lock.
 */
export class FolderHold {
	readonly #file: string;
	readonly #db: DatabaseSync;
	readonly #identity: string | undefined;

	/** Locks a folder with this file. Throws a {@link StoreInUseError}, or an `OpenFailure` for a file that can't be locked. */
	constructor(file: string) {
		this.#file = file;
		try {
			this.#db = lockFileExclusively(file);
		} catch (error) {
			throw isBusy(error) ? new StoreInUseError(`${file} is locked by another process`) : toOpenFailure(file, error);
		}
		this.#identity = getFileIdentity(file);
	}

	/** True if the file is still the locked one. A lock on a removed or replaced file doesn't keep other processes out. */
	get holds(): boolean {
		return getFileIdentity(this.#file) === this.#identity;
	}

	releaseFolder(): void {
		this.#db.close();
	}
}

/** Returns a string that identifies a file, and differs if another file replaces it. Undefined if it doesn't exist. */
export function getFileIdentity(file: string): string | undefined {
	const info = statSync(file, { bigint: true, throwIfNoEntry: false });
	return info && `${info.dev} ${info.ino}`;
}

function lockFileExclusively(file: string): DatabaseSync {
	const db = new DatabaseSync(file, { timeout: 0 });
	try {
		db.exec('BEGIN EXCLUSIVE');
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}

/** True for SQLITE_BUSY and SQLITE_LOCKED. */
function isBusy(error: unknown): boolean {
	const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
	return code === 5 || code === 6;
}
