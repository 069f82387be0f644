// Loaded into VS Code's server (--import): the server exits when its standard input closes, even if its parent process was killed.
import { isMainThread } from 'node:worker_threads';

// workers and forked processes inherit --import, but not the pipe
if (isMainThread && process.argv[1]?.endsWith('server-main.js')) {
	process.stdin.once('end', () => process.exit()).once('error', () => process.exit());
	process.stdin.resume();
}
