import path from 'node:path';
import { CliFault } from './cliFault.ts';

const reasons: Readonly<Record<string, string>> = {
	ENOENT: 'no such file',
	EACCES: "can't be read: you don't have permission",
	EISDIR: 'expected a file, got a folder',
};

/** The fault of a file that can't be read, named as the user would. */
export function readFailure(file: string, error: unknown): CliFault {
	const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
	return new CliFault(`${path.relative('', file)}: ${reasons[code] ?? `can't be read (${code})`}.`);
}
