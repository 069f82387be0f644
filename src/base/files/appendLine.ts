import { open } from 'node:fs/promises';
import { FileWriteError } from './writeFailure.ts';

/**
 * Adds a JSON value to a file as a separate line, so that Git can merge two branches by keeping both lines. Creates the file if needed.
 * Rejects with a {@link FileWriteError}.
 */
export async function appendJsonLine(file: string, value: unknown): Promise<void> {
	await appendLine(file, `${JSON.stringify(value)}\n`);
}

/** Adds a text with a line end to a file, as a separate line. Creates the file if needed. Rejects with a {@link FileWriteError}. */
export async function appendLine(file: string, line: string): Promise<void> {
	try {
		await using handle = await open(file, 'a+');
		const { size } = await handle.stat();
		const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
		// a line that was cut off, or merged without its line break, must not take this one with it
		const isOpen = size > 0 && buffer[0] !== '\n'.charCodeAt(0);
		await handle.appendFile(`${isOpen ? '\n' : ''}${line}`);
	} catch (error) {
		throw new FileWriteError(file, error);
	}
}
