import fs from 'node:fs/promises';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** Errors on Windows while another program, such as a virus scanner, has a file open for a moment. */
const busyCodes = new Set<unknown>(['EPERM', 'EACCES', 'EBUSY']);
/** Milliseconds before each further try. */
const pauses = [10, 50, 200, 500];

/** Renames a file, over another one if it exists. On Windows, tries again if another program has one of them open. */
export async function renameFile(from: string, to: string, platform = os.platform(), rename = fs.rename): Promise<void> {
	for (const pause of platform === 'win32' ? pauses : []) {
		try {
			return await rename(from, to);
		} catch (error) {
			if (!busyCodes.has((error as NodeJS.ErrnoException).code)) {
				throw error;
			}
			await delay(pause);
		}
	}
	await rename(from, to);
}
