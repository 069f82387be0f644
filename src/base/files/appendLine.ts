import { open } from 'node:fs/promises';
import { FileWriteError } from './writeFailure.ts';

/**
 * Adds a JSON value to a file as a separate line, so that Git can merge two branches by keeping both lines. Creates the file if needed.
 * Rejects with a {@link FileWriteError}.
 */
export async function appendJsonLine(file: string, value: unknown): Promise<void> {
	await appendLine(file, JSON.stringify(value), '\n');
}

/** Adds a text to a file as a separate line, with the line end of the file. Creates the file if needed. Rejects with a {@link FileWriteError}. */
export async function appendLine(file: string, text: string, lineEnd: '\n' | '\r\n' | '\r'): Promise<void> {
	try {
		await using handle = await open(file, 'a+');
		const { size } = await handle.stat();
		const { length } = lineEnd;
		const { buffer } = await handle.read(Buffer.alloc(length), 0, length, Math.max(0, size - length));
		// a line that was cut off, or merged without its line break, must not take this one with it
		const isOpen = size > 0 && buffer.toString('latin1') !== lineEnd;
		await handle.appendFile(`${isOpen ? lineEnd : ''}${text}${lineEnd}`);
	} catch (error) {
		throw new FileWriteError(file, error);
	}
}
