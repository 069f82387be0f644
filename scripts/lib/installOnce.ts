import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { removeFolder } from './tempFolder.ts';

/**
 * Makes `folder` with what `fill` puts into it, unless it is there. `fill` gets a folder beside it that takes the final name only when it is
 * complete: an interrupted installation leaves nothing that looks whole, and of two at the same time the first to finish wins.
 * @returns whether this call made it
 */
export async function installOnce(folder: string, fill: (unfinished: string) => Promise<void>): Promise<boolean> {
	if (fs.existsSync(folder)) {
		return false;
	}
	const unfinished = `${folder}.${process.pid}-${randomBytes(3).toString('hex')}.tmp`;
	fs.mkdirSync(unfinished, { recursive: true });
	try {
		removeAbandoned(folder);
		await fill(unfinished);
		fs.renameSync(unfinished, folder);
		return true;
	} catch (error) {
		if (fs.existsSync(folder)) {
			return false;
		}
		throw error;
	} finally {
		removeFolder(unfinished);
	}
}

/** Unfinished folders whose process is gone: somebody pressed Ctrl+C. */
function removeAbandoned(folder: string): void {
	const prefix = `${path.basename(folder)}.`;
	for (const name of fs.readdirSync(path.dirname(folder))) {
		const pid = name.startsWith(prefix) && name.endsWith('.tmp') ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
		if (!Number.isNaN(pid) && !isAlive(pid)) {
			removeFolder(path.join(path.dirname(folder), name));
		}
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
