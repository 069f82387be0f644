const words: Readonly<Record<string, string>> = {
	ENOSPC: 'the disk is full',
	EDQUOT: 'the disk quota is used up',
	EACCES: 'writing there is not allowed',
	EPERM: 'writing there is not allowed',
	EROFS: 'the file system is read-only',
	EISDIR: 'it is a folder',
	ENOTDIR: 'a file stands where its folder should be',
};

/** Why something cannot be written, half a sentence. */
export function writeFailure(error: unknown): string {
	const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
	return words[code] ?? code;
}
