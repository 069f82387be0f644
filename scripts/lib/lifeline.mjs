// Loaded into VS Code's server (--import): the server ends when its standard input does, so also when whoever started it was killed.
import { isMainThread } from 'node:worker_threads';

// its workers and the processes it forks inherit --import, but not the pipe
if (isMainThread && process.argv[1]?.endsWith('server-main.js')) {
	process.stdin.once('end', () => process.exit()).once('error', () => process.exit());
	process.stdin.resume();
}
