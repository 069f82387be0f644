import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * State files shared by several windows (decision 14): one file per item, readable only by the user, written to a temporary file and
 * renamed, so that readers never see a partial text.
 */

/**
 * Writes a file atomically. Callers must not start a second write to the same file before the first one finishes. `isWanted` is called
 * right before renaming, to drop a write that {@link writeFileAtomicallySync} has overtaken.
 */
export async function writeFileAtomically(file: string, text: string, isWanted: () => boolean = () => true): Promise<void> {
	const beside = createTemporaryName(file);
	await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
	try {
		await fs.writeFile(beside, text, { mode: 0o600 });
		if (isWanted()) {
			renameSync(beside, file);
			return;
		}
	} catch (error) {
		await fs.rm(beside, { force: true }).catch(() => {});
		throw error;
	}
	await fs.rm(beside, { force: true });
}

/** Writes a file atomically and synchronously, for a window that is closing. */
export function writeFileAtomicallySync(file: string, text: string): void {
	const beside = createTemporaryName(file);
	mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
	try {
		writeFileSync(beside, text, { mode: 0o600 });
		renameSync(beside, file);
	} catch (error) {
		rmSync(beside, { force: true });
		throw error;
	}
}

/** Extension of temporary files. After a crash, such files can remain. */
const besideEnding = '.tmp';

function createTemporaryName(file: string): string {
	return `${file}.${randomUUID()}${besideEnding}`;
}
