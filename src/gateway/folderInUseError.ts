/** The data folder is another gateway's: its message is the one line that is shown before the process ends with exit code 3. */
export class FolderInUseError extends Error {
	override readonly name = 'FolderInUseError';
}
