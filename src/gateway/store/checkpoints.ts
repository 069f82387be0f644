import { Worker } from 'node:worker_threads';
import { BackgroundJob, type NextTurn } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';

/** How long changes are only in the write-ahead log, in milliseconds. */
const intervalMs = 1_000;
/** Maximum size of the log, in pages of 4 KB, while writing doesn't pause. If it's larger, the writer has to wait once. */
const maxLogPages = 65_536;

/** Result of a checkpoint: the number of pages in the log, and how many of them are in the database file. */
export interface CheckpointReport {
	readonly log: number;
	readonly done: number;
}

/** Moves the write-ahead log into the database file soon after a write, in a thread that starts on first use. */
export class Checkpoints {
	readonly #file: string;
	readonly #restart: () => void;
	readonly #job: BackgroundJob;
	#worker: Worker | undefined;
	#answer: PromiseWithResolvers<CheckpointReport> | undefined;

	/** @param restart restarts the log; waits for the disk */
	constructor(file: string, restart: () => void, log: Log) {
		this.#file = file;
		this.#restart = restart;
		this.#job = new BackgroundJob("Writing the store's log to its file", () => this.#runCheckpoint(), log);
	}

	/** Must be called after each write. */
	scheduleCheckpoint(): void {
		this.#job.scheduleStep(intervalMs);
	}

	async stop(): Promise<void> {
		this.#job.stop();
		await this.#worker?.terminate();
	}

	async #runCheckpoint(): Promise<NextTurn> {
		const worker = this.#worker ?? this.#startThread();
		this.#worker = worker;
		this.#answer = Promise.withResolvers();
		worker.postMessage('checkpoint');
		const { log, done } = await this.#answer.promise;
		if (log > maxLogPages) {
			this.#restart();
			return undefined;
		}
		return done < log ? intervalMs : undefined;
	}

	#startThread(): Worker {
		// the bundle has the thread's code in a file next to this one; the source is TypeScript
		const code = import.meta.url.endsWith('.ts') ? './checkpointThread.ts' : './checkpointThread.js';
		const worker = new Worker(new URL(code, import.meta.url), {
			workerData: this.#file,
			env: {},
			resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
		});
		worker.unref();
		worker.on('message', (report: CheckpointReport) => this.#answer?.resolve(report));
		// the store works without the thread, and starts another one later
		worker.on('error', error => this.#answer?.reject(error));
		worker.on('exit', () => {
			this.#worker = undefined;
			this.#answer?.reject(new Error('The thread stopped unexpectedly'));
		});
		return worker;
	}
}
