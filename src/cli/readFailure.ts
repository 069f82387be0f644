import path from 'node:path';
import { CliFault } from './cliFault.ts';

const reasons: Readonly<Record<string, string>> = {
	ENOENT: 'no such file',
	EACCES: "can't be read: you don't have permission",
	EISDIR: 'expected a file, got a folder',
};

/** Creates the error for a file that can't be read. The message names the file relative to the working folder. */
export function createReadFault(file: string, error: unknown): CliFault {
	const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
	return new CliFault(`${path.relative('', file)}: ${reasons[code] ?? `can't be read (${code})`}.`);
}
