/** Another gateway uses the data folder: the message is the one line shown before the process exits with code 3. */
export class FolderInUseError extends Error {
	override readonly name = 'FolderInUseError';
}
