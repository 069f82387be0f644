import { createHash } from 'node:crypto';
import { mkdir, realpath, rmdir, stat, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Milliseconds after which a lock is left over from a process that crashed: others are renewed far more often. */
const staleMs = 10_000;
const renewalMs = 1_000;

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
			return keepLock(lock);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
				return async () => {};
			}
		}
		if ((await isLeftOver(lock)) && !(await removeLeftLock(lock))) {
			// another account's, or not a lock
			return async () => {};
		}
		await new Promise(resolve => setTimeout(resolve, 5 + Math.random() * 20));
	}
}

/** Keeps a lock from looking left over while its work takes long. Returns the function that releases it. */
function keepLock(lock: string): () => Promise<void> {
	const renewal = setInterval(() => {
		const now = new Date();
		utimes(lock, now, now).catch(() => undefined);
	}, renewalMs);
	renewal.unref();
	return () => {
		clearInterval(renewal);
		return rmdir(lock).catch(() => undefined);
	};
}

async function isLeftOver(lock: string): Promise<boolean> {
	const age = await stat(lock).then(
		({ mtimeMs }) => Date.now() - mtimeMs,
		() => 0,
	);
	// a lock of the future was left over before the clock was set back
	return Math.abs(age) > staleMs;
}

/**
 * Removes a lock that is left over. One process does that at a time: of several that have seen it, the later ones would remove the lock that
 * the first one has taken since. Resolves to false if it can't be removed.
 */
async function removeLeftLock(lock: string): Promise<boolean> {
	const removal = `${lock}-removal`;
	try {
		await mkdir(removal, { mode: 0o700 });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
			return false;
		}
		if (await isLeftOver(removal)) {
			await rmdir(removal).catch(() => undefined);
		}
		return true;
	}
	try {
		return !(await isLeftOver(lock)) || (await removeFolder(lock));
	} finally {
		await rmdir(removal).catch(() => undefined);
	}
}

/** Resolves to false if the folder can't be removed. */
function removeFolder(folder: string): Promise<boolean> {
	return rmdir(folder).then(
		() => true,
		(error: NodeJS.ErrnoException) => error.code === 'ENOENT',
	);
}
