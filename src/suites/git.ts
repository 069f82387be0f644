import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Maximum size of Git's output in bytes. */
const mostBytes = 16_000_000;

/**
 * Returns what a Git command prints in a folder. Rejects with the error of the process.
 */
export async function runGit(folder: string, args: readonly string[]): Promise<string> {
	// Windows looks for programs in the current folder first, where a workspace could have a git.exe
	const cwd = path.dirname(process.execPath);
	return (await run('git', ['-C', path.resolve(folder), ...args], { maxBuffer: mostBytes, cwd })).stdout;
}
