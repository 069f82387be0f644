import { parentPort, workerData } from 'node:worker_threads';
import type { CodeJob, CodeLimits, ThreadMessage } from '#base/sandbox/codeJob.ts';
import { loadSandbox } from '#base/sandbox/sandbox.ts';

// Begins a thread of CodeRunner: answers one call after another. What a call leaves behind is cleared away once it is answered; if QuickJS cannot do that
// any more (a program can catch the end of its own stack or memory), it is loaded anew.
let sandbox = loadSandbox(workerData as CodeLimits);
const send = (message: ThreadMessage) => parentPort?.postMessage(message);

parentPort?.on('message', async (job: CodeJob) => {
	const current = await sandbox;
	const reply = current.evaluate(job);
	send(reply);
	if (!reply.spent && !current.renew()) {
		sandbox = loadSandbox(workerData as CodeLimits);
	}
});
await sandbox;
send('ready');
