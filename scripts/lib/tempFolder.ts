import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Creates an empty temporary folder and returns its real path: VS Code compares paths as strings, and /tmp is a link on macOS. The name is
 * short because the paths of sockets in it are limited to 103 characters.
 */
export function makeTempFolder(): string {
	return fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'aw-'));
}

/** Deletes a folder, even if exiting processes still write to it for a moment. */
export function removeFolder(folder: string): void {
	fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
