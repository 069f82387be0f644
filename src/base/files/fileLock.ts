import { createHash } from 'node:crypto';
import { mkdir, realpath, rmdir, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Milliseconds after which a lock is left over from a process that crashed: writing takes far less. */
const staleMs = 10_000;

/**
 * Runs `work` while no other process of this machine writes the file: one that reads a file, changes it and writes it back would lose what
 * others wrote meanwhile. The lock is a temporary folder outside the workspace.
 */
export async function runWithFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
	const folder = await realpath(path.dirname(file)).catch(() => path.dirname(file));
	const name = createHash('sha256')
		.update(path.join(folder, path.basename(file)))
		.digest('hex')
		.slice(0, 32);
	const release = await acquireLock(path.join(os.tmpdir(), `agent-workbench-lock-${name}`));
	try {
		return await work();
	} finally {
		await release();
	}
}

/** Waits for a lock and returns the function that releases it. Writes aren't locked if none can be created. */
async function acquireLock(lock: string): Promise<() => Promise<void>> {
	for (;;) {
		try {
			await mkdir(lock, { mode: 0o700 });
			return () => rmdir(lock).catch(() => undefined);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
				return async () => {};
			}
		}
		const age = await stat(lock).then(
			({ mtimeMs }) => Date.now() - mtimeMs,
			() => 0,
		);
		// a lock of the future was left over before the clock was set back
		if (
			Math.abs(age) > staleMs &&
			!(await rmdir(lock).then(
				() => true,
				() => false,
			))
		) {
			// another account's, or not a lock
			return async () => {};
		}
		await new Promise(resolve => setTimeout(resolve, 5 + Math.random() * 20));
	}
}
