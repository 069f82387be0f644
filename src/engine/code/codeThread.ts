import { parentPort, workerData } from 'node:worker_threads';
import type { CodeJob, CodeLimits, ThreadMessage } from '#base/sandbox/codeJob.ts';
import { loadSandbox } from '#base/sandbox/sandbox.ts';

// Entry point of a CodeRunner thread: handles one call after another. The sandbox is cleared after each call. If QuickJS can't do that
// anymore, because a program has caught its own stack or memory overflow, the sandbox is reloaded.
let sandbox = loadSandbox(workerData as CodeLimits);
const send = (message: ThreadMessage) => parentPort?.postMessage(message);

parentPort?.on('message', async (job: CodeJob) => {
	const current = await sandbox;
	const reply = current.evaluateJob(job);
	send(reply);
	if (!reply.spent && !current.prepareNextCall()) {
		sandbox = loadSandbox(workerData as CodeLimits);
	}
});
await sandbox;
send('ready');
