import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * A new empty folder below the system's temporary folder, by its real path: VS Code compares paths as strings, and /tmp is a link on macOS.
 * The name is kept short because sockets are made in it, whose paths may have no more than 103 characters.
 */
export function makeTempFolder(): string {
	return fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'aw-'));
}

/** Deletes a folder, also one in which ending processes still write for a moment. */
export function removeFolder(folder: string): void {
	fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
