import { stat } from 'node:fs/promises';

/** Whether two paths lead to the same file on this machine, links and letter case aside; no path that leads nowhere is any other's. */
export async function sameFile(one: string, other: string): Promise<boolean> {
	if (one === other) {
		return true;
	}
	const [a, b] = await Promise.all([one, other].map(file => stat(file, { bigint: true }).catch(() => undefined)));
	return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
