import { rmSync } from 'node:fs';

/** Removes the file of an index, which must be closed. It can be created again from what it indexes. */
export function removeIndexFile(file: string): void {
	for (const ending of ['', '-wal', '-shm']) {
		rmSync(file + ending, { force: true });
	}
}

/** True for SQLite's errors about a file that is damaged, or isn't a database. */
export function isDamageError(error: unknown): boolean {
	return error instanceof Error && 'errcode' in error && [11, 26].includes(Number(error.errcode) & 0xff);
}
