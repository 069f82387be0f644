/** Another gateway uses the data folder. The message is the only line shown before the process exits with code 3. */
export class FolderInUseError extends Error {
	override readonly name = 'FolderInUseError';
}
