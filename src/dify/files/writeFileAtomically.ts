import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import { renameFile } from '#base/files/renameFile.ts';

/** Writes a file atomically: to a temporary file next to it, flushed to disk, then renamed. */
export async function writeFileAtomically(file: string, text: string, mode: number): Promise<void> {
	const beside = `${file}.${randomUUID()}.tmp`;
	try {
		const handle = await fs.open(beside, 'wx', mode);
		try {
			await handle.writeFile(text);
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
