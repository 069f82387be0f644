import { parentPort } from 'node:worker_threads';
import type { CodeJob, CodeReply } from './codeJob.ts';
import { loadSandbox } from './sandbox.ts';

// Begins a thread of CodeRunner: answers one call after another.
const sandbox = loadSandbox();

parentPort?.on('message', (job: CodeJob) => {
	void sandbox
		.then(evaluate => evaluate(job))
		.catch((error): CodeReply => ({ id: job.id, error: `The code could not be run: ${(error as Error).message}`, broken: true }))
		.then(reply => parentPort?.postMessage(reply));
});
