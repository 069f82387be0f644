import { Worker } from 'node:worker_threads';

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
	#worker: Worker | undefined;
	#timer: NodeJS.Timeout | undefined;
	#busy = false;
	#stopped = false;

	/** `restart` makes the log begin anew, waiting for the disk. */
	constructor(file: string, restart: () => void) {
		this.#file = file;
		this.#restart = restart;
	}

	/** Something was written. */
	written(): void {
		if (this.#timer === undefined && !this.#busy && !this.#stopped) {
			this.#timer = setTimeout(() => this.#begin(), intervalMs);
			this.#timer.unref();
		}
	}

	async stop(): Promise<void> {
		this.#stopped = true;
		clearTimeout(this.#timer);
		await this.#worker?.terminate();
	}

	#begin(): void {
		this.#timer = undefined;
		this.#busy = true;
		this.#worker ??= this.#start();
		this.#worker.postMessage('checkpoint');
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
		worker.on('message', ({ log, done }: CheckpointReport) => {
			this.#busy = false;
			if (log > maxLogPages && !this.#stopped) {
				this.#restart();
			} else if (done < log) {
				this.written();
			}
		});
		// the store works on without its thread, and asks for another one after the next write
		worker.on('error', () => {
			this.#worker = undefined;
			this.#busy = false;
		});
		return worker;
	}
}
