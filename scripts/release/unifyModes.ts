import fs from 'node:fs';
import { findDirectoryEntries } from '../lib/zipFile.ts';

/** Permissions of a file that its owner can write and all can read, in the upper half of a zip entry's external attributes. */
const fileMode = 0o100644 * 0x1_0000;

/** Sets the same file mode for each entry of a zip archive, in place: the modes of its sources depend on the user's umask. */
export function unifyModes(file: string): void {
	const bytes = fs.readFileSync(file);
	for (const at of findDirectoryEntries(bytes, file)) {
		bytes.writeUInt32LE(fileMode, at + 38);
	}
	fs.writeFileSync(file, bytes);
}
