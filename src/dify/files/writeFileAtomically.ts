import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';

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
		await fs.rename(beside, file);
	} catch (error) {
		await fs.rm(beside, { force: true }).catch(() => {});
		throw error;
	}
}
