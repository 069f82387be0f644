import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointReport } from './checkpoints.ts';

// this is a worker thread; `checkpoints.ts` sends it a message for each checkpoint
const db = new DatabaseSync(workerData as string, { timeout: 1_000 });
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');

parentPort?.on('message', () => {
	const { log, checkpointed } = checkpoint.get() as { log: number; checkpointed: number };
	parentPort?.postMessage({ log, done: checkpointed } satisfies CheckpointReport);
});
