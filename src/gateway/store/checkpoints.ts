import { Worker } from 'node:worker_threads';
import { BackgroundJob, type NextTurn } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';

/** How long what was written stays in the log alone. */
const intervalMs = 1_000;
/** Pages of 4 KB that the log may grow to while it is written without a pause; then the writer has to wait for once. */
const maxLogPages = 65_536;

/** What the thread says after each checkpoint: pages in the log, and how many of them are in the file. */
export interface CheckpointReport {
	readonly log: number;
	readonly done: number;
}

/** Has the store's log carried into its file, a moment after something was written, by a thread that starts at the first need. */
export class Checkpoints {
	readonly #file: string;
	readonly #restart: () => void;
	readonly #job: BackgroundJob;
	#worker: Worker | undefined;
	#answer: PromiseWithResolvers<CheckpointReport> | undefined;

	/** `restart` makes the log begin anew, waiting for the disk. */
	constructor(file: string, restart: () => void, log: Log) {
		this.#file = file;
		this.#restart = restart;
		this.#job = new BackgroundJob("carrying the store's log into its file", () => this.#checkpoint(), log);
	}

	/** Something was written. */
	written(): void {
		this.#job.wake(intervalMs);
	}

	async stop(): Promise<void> {
		this.#job.stop();
		await this.#worker?.terminate();
	}

	async #checkpoint(): Promise<NextTurn> {
		const worker = this.#worker ?? this.#start();
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

	#start(): Worker {
		// the bundle has the thread's code as a file beside this one; from source it is TypeScript
		const code = import.meta.url.endsWith('.ts') ? './checkpointThread.ts' : './checkpointThread.js';
		const worker = new Worker(new URL(code, import.meta.url), {
			workerData: this.#file,
			env: {},
			resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
		});
		worker.unref();
		worker.on('message', (report: CheckpointReport) => this.#answer?.resolve(report));
		// the store works on without its thread, and gets another one
		worker.on('error', error => this.#answer?.reject(error));
		worker.on('exit', () => {
			this.#worker = undefined;
			this.#answer?.reject(new Error('its thread ended'));
		});
		return worker;
	}
}
