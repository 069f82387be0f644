import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { renameFile } from './renameFile.ts';

/** Text of a file, or a function that writes it piece by piece with `appendFile`. */
type FileContent = string | ((handle: fs.FileHandle) => Promise<void>);

/**
 * Replaces a file completely or not at all, for example if the disk is full, or creates it. Writes to a temporary file next to it, flushed
 * to disk, then renamed. A link is replaced, so that a path that was checked before leads nowhere else. Rejects with the errors of the file
 * system and of `content`.
 * @param newMode mode of a new file; an existing file keeps its mode
 */
export async function replaceFile(file: string, content: FileContent, newMode = 0o666): Promise<void> {
	const beside = `${file}.${randomUUID()}.tmp`;
	try {
		const existing = await fs.lstat(file).catch(() => undefined);
		const mode = existing?.isFile() ? existing.mode & 0o777 : undefined;
		const handle = await fs.open(beside, 'wx', mode ?? newMode);
		try {
			if (mode !== undefined) {
				// a new file lacks the mode bits that the process masks; some file systems have no modes
				await handle.chmod(mode).catch(() => {});
			}
			await (typeof content === 'string' ? handle.writeFile(content) : content(handle));
			await handle.sync();
		} finally {
			await handle.close();
		}
		await renameFile(beside, file);
	} catch (error) {
		await fs.rm(beside, { force: true }).catch(() => {});
		throw error;
	}
}

/** Like {@link replaceFile}, for a file that the user named: keeps a link, and creates missing folders. */
export async function replaceNamedFile(target: string, content: FileContent, newMode?: number): Promise<void> {
	const file = await fs.realpath(target).catch(() => target);
	await fs.mkdir(path.dirname(file), { recursive: true });
	await replaceFile(file, content, newMode);
}
