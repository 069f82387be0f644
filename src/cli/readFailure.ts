import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { CliFault } from './cliFault.ts';

const reasons: Readonly<Record<string, string>> = {
	ENOENT: 'no such file',
	EACCES: "can't be read: you don't have permission",
	EISDIR: 'expected a file, got a folder',
};

/**
 * Reads a text file that the user named, without its byte order mark. Throws a {@link CliFault}, also for other encodings than UTF-8, whose
 * replacement characters would reach agents and results.
 */
export function readNamedText(file: string): string {
	let bytes: Buffer;
	try {
		bytes = fs.readFileSync(file);
	} catch (error) {
		throw createReadFault(file, error);
	}
	if (!isUtf8(bytes)) {
		throw new CliFault(`${path.relative('', file)}: isn't UTF-8 text. Expected a text file.`);
	}
	return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** Creates the error for a file that can't be read. The message names the file relative to the working folder. */
function createReadFault(file: string, error: unknown): CliFault {
	const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
	return new CliFault(`${path.relative('', file)}: ${reasons[code] ?? `can't be read (${code})`}.`);
}
