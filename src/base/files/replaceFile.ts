import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { renameFile } from './renameFile.ts';

/**
 * Replaces a file of the user completely or not at all, for example if the disk is full, or creates it. A link stays, and so does the mode.
 * Rejects with the errors of the file system.
 */
export async function replaceFile(target: string, text: string): Promise<void> {
	const file = await fs.realpath(target).catch(() => target);
	const beside = `${file}.${randomUUID()}.tmp`;
	await fs.mkdir(path.dirname(file), { recursive: true });
	try {
		const mode = (await fs.stat(file).catch(() => undefined))?.mode ?? 0o666;
		await fs.writeFile(beside, text, { mode: mode & 0o777 });
		await renameFile(beside, file);
	} catch (error) {
		await fs.rm(beside, { force: true });
		throw error;
	}
}
