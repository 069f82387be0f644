import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { removeFolder } from './tempFolder.ts';

/**
 * Creates `folder` with the content from `fill`, unless the folder exists. `fill` writes to a temporary folder, which is renamed when it is
 * complete. So an interrupted installation never looks complete, and the first of two concurrent ones wins.
 * @returns true if this call created the folder
 */
export async function installFolderOnce(folder: string, fill: (unfinished: string) => Promise<void>): Promise<boolean> {
	if (fs.existsSync(folder)) {
		return false;
	}
	const unfinished = `${folder}.${process.pid}-${randomBytes(3).toString('hex')}.tmp`;
	fs.mkdirSync(unfinished, { recursive: true });
	try {
		removeAbandonedFolders(folder);
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

/** Removes unfinished folders whose process has exited, for example after Ctrl+C. */
function removeAbandonedFolders(folder: string): void {
	const prefix = `${path.basename(folder)}.`;
	for (const name of fs.readdirSync(path.dirname(folder))) {
		const pid = name.startsWith(prefix) && name.endsWith('.tmp') ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
		if (!Number.isNaN(pid) && !isProcessAlive(pid)) {
			removeFolder(path.join(path.dirname(folder), name));
		}
	}
}

function isProcessAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
