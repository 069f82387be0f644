import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates a file with its complete text or not at all. Resolves to false if the file exists. If several processes try at the same time,
 * exactly one succeeds. Modes are those of the file and of missing folders; by default, only the user can read them.
 */
export async function createFileAtomically(file: string, text: string, mode = 0o600, folderMode = 0o700, link = fs.link): Promise<boolean> {
	const beside = `${file}.${randomUUID()}.tmp`;
	await fs.mkdir(path.dirname(file), { recursive: true, mode: folderMode });
	try {
		await fs.writeFile(beside, text, { mode });
		await link(beside, file);
		return true;
	} catch (error) {
		switch ((error as NodeJS.ErrnoException).code) {
			case 'EEXIST':
				return false;
			case 'EPERM':
			case 'ENOTSUP':
			case 'ENOSYS':
				// the file system has no hard links
				return await createFileExclusively(file, text, mode);
			default:
				throw error;
		}
	} finally {
		await fs.rm(beside, { force: true });
	}
}

async function createFileExclusively(file: string, text: string, mode: number): Promise<boolean> {
	let handle: fs.FileHandle;
	try {
		handle = await fs.open(file, 'wx', mode);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
			return false;
		}
		throw error;
	}
	try {
		await handle.writeFile(text);
	} catch (error) {
		await fs.rm(file, { force: true });
		throw error;
	} finally {
		await handle.close();
	}
	return true;
}
