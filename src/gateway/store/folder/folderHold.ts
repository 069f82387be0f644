import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openFailureOf } from './storeFiles.ts';

/** Another process holds the folder. */
export class StoreInUseError extends Error {
	override readonly name = 'StoreInUseError';
}

/**
 * Keeps a data folder to one process: SQLite's lock on a file of its own, which the system takes back from a process that dies. No process ID has to be
 * looked up, and of several that start at once one wins.
 */
export class FolderHold {
	readonly #file: string;
	readonly #db: DatabaseSync;
	readonly #identity: string | undefined;

	/** Takes hold of a folder by this file. Throws a {@link StoreInUseError}, or an `OpenFailure` for a file that cannot be locked. */
	constructor(file: string) {
		this.#file = file;
		try {
			this.#db = lock(file);
		} catch (error) {
			throw isBusy(error) ? new StoreInUseError(`${file} is held by another process`) : openFailureOf(file, error);
		}
		this.#identity = identityOf(file);
	}

	/** Whether the file is still the one that is held: one that was removed or replaced keeps nobody out. */
	get holds(): boolean {
		return identityOf(this.#file) === this.#identity;
	}

	release(): void {
		this.#db.close();
	}
}

/** What tells a file from another one that took its place; undefined where there is none. */
export function identityOf(file: string): string | undefined {
	const info = statSync(file, { bigint: true, throwIfNoEntry: false });
	return info && `${info.dev} ${info.ino}`;
}

function lock(file: string): DatabaseSync {
	const db = new DatabaseSync(file, { timeout: 0 });
	try {
		db.exec('BEGIN EXCLUSIVE');
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}

/** SQLITE_BUSY, SQLITE_LOCKED. */
function isBusy(error: unknown): boolean {
	const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
	return code === 5 || code === 6;
}
