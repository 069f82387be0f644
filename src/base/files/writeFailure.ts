const words: Readonly<Record<string, string>> = {
	ENOSPC: 'the disk is full',
	EDQUOT: 'the disk quota is used up',
	EACCES: 'permission denied',
	EPERM: 'permission denied',
	EROFS: 'the file system is read-only',
	EISDIR: "it's a folder",
	ENOENT: "its folder doesn't exist",
	ENOTDIR: 'a parent folder is a file',
};

/** Describes the reason for a write error, in words that can follow a colon. */
export function describeWriteFailure(error: unknown): string {
	const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
	return words[code] ?? code;
}

/** A file that couldn't be written. The message names it: Node's errors don't if the disk is full. */
export class FileWriteError extends Error {
	override readonly name = 'FileWriteError';

	constructor(file: string, cause: unknown) {
		super(`Couldn't write '${file}': ${describeWriteFailure(cause)}.`, { cause });
	}
}
