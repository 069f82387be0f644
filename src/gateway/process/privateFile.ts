import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Atomically writes a file that no other account can read (mode 0600). */
export function writePrivateFile(file: string, text: string): void {
	const temporary = `${file}.${process.pid}`;
	try {
		writeFileSync(temporary, text, { mode: 0o600 });
		renameSync(temporary, file);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	}
}
