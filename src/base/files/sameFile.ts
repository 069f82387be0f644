import { stat } from 'node:fs/promises';

/** True if two paths lead to the same file on this machine, taking links and case into account. False if either doesn't exist. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
	if (one === other) {
		return true;
	}
	const [a, b] = await Promise.all([one, other].map(file => stat(file, { bigint: true }).catch(() => undefined)));
	return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
