import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * Files of state that several windows share (decision 14): one file a thing, readable by its user alone, each written beside and renamed
 * over the old one, so that who reads gets the old or the new text, never half of one.
 */

/**
 * Writes a file whole. Writes of this process to one file are to be put in order by the caller. `isWanted` is asked last: what was
 * overtaken by {@link writeWholeNow} meanwhile is dropped, and no renaming that goes on can undo it.
 */
export async function writeWhole(file: string, text: string, isWanted: () => boolean = () => true): Promise<void> {
	const beside = besideOf(file);
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

/** Writes a file whole before it returns: the window closes, and nobody waits for what is written later. */
export function writeWholeNow(file: string, text: string): void {
	const beside = besideOf(file);
	mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
	try {
		writeFileSync(beside, text, { mode: 0o600 });
		renameSync(beside, file);
	} catch (error) {
		rmSync(beside, { force: true });
		throw error;
	}
}

/**
 * Makes a file that must not be there yet, whole from the first moment on. Resolves to whether it was made: of those who try at the same
 * moment, in whatever process, one succeeds.
 */
export async function createWhole(file: string, text: string): Promise<boolean> {
	const beside = besideOf(file);
	await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
	await fs.writeFile(beside, text, { mode: 0o600 });
	try {
		await fs.link(beside, file);
		return true;
	} catch (error) {
		switch ((error as NodeJS.ErrnoException).code) {
			case 'EEXIST':
				return false;
			case 'EPERM':
			case 'ENOTSUP':
			case 'ENOSYS':
				// a file system without hard links: the next best thing
				return createExclusively(file, text);
			default:
				throw error;
		}
	} finally {
		await fs.rm(beside, { force: true });
	}
}

async function createExclusively(file: string, text: string): Promise<boolean> {
	try {
		await fs.writeFile(file, text, { mode: 0o600, flag: 'wx' });
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
			return false;
		}
		throw error;
	}
}

/** Ending of files that are being written; what a crash leaves behind carries it. */
const besideEnding = '.tmp';

function besideOf(file: string): string {
	return `${file}.${randomUUID()}${besideEnding}`;
}
