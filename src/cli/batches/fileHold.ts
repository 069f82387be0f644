import { DatabaseSync } from 'node:sqlite';

/**
 * Keeps a file to one process by a file beside it, `FILE.lock`, that SQLite locks: the system takes the lock back from a process that dies. Returns what
 * lets go of it, `undefined` where another process has it. A file system without locks keeps nobody out.
 */
export function heldFile(file: string): (() => void) | undefined {
	let db: DatabaseSync | undefined;
	try {
		db = new DatabaseSync(`${file}.lock`, { timeout: 0 });
		db.exec('BEGIN EXCLUSIVE');
		const held = db;
		return () => held.close();
	} catch (error) {
		db?.close();
		return isBusy(error) ? undefined : () => undefined;
	}
}

/** SQLITE_BUSY, SQLITE_LOCKED. */
function isBusy(error: unknown): boolean {
	const code = Number((error as { readonly errcode?: unknown }).errcode) & 0xff;
	return code === 5 || code === 6;
}
