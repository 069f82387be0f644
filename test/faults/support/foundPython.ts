import { execFileSync } from 'node:child_process';

/** Returns the path of this machine's Python 3; `undefined` if there is none. */
export function findPython(): string | undefined {
	try {
		return execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
	} catch {
		return undefined;
	}
}
