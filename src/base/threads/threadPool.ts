import { Worker } from 'node:worker_threads';
import type { TaskInputs, TaskMessage, TaskOutputs } from './tasks.ts';
import { ThreadFault } from './threadFault.ts';

/** Time limits in milliseconds: for loading the code of a task, and for an idle thread until it is stopped. */
const loadMs = 30_000;
const idleMs = 30_000;
/** Milliseconds between checks of a busy thread's buffers. */
const lookMs = 100;

interface ThreadLimits {
	readonly maxThreads: number;
	/** Time limit of a task in milliseconds, counted from its start in the thread. */
	readonly timeoutMs: number;
	/** Memory limit of a thread in megabytes, for values and again for buffers. */
	readonly memoryMb: number;
}

interface Job {
	readonly id: number;
	readonly name: string;
	readonly input: unknown;
	readonly settle: (outcome: { readonly result: unknown } | { readonly error: unknown }) => void;
}

/** A thread that runs one job at a time. `timer` stops the thread if a job takes too long or no job arrives. `watch` checks its memory. */
interface Thread {
	readonly worker: Worker;
	job: Job | undefined;
	timer: NodeJS.Timeout | undefined;
	watch: NodeJS.Timeout | undefined;
}

/**
 * Runs work of unpredictable duration, such as user files and templates, in threads. A thread is terminated when its job exceeds its time
 * or memory or is aborted, and the next job gets a new thread. Threads start on first use and stop when idle. `Inputs` and `Outputs` are
 * the types of the tasks by name.
 */
export class ThreadPool<Inputs extends object = TaskInputs, Outputs extends object = TaskOutputs> {
	readonly #file: URL;
	readonly #limits: ThreadLimits;
	readonly #threads = new Set<Thread>();
	/** Threads that are being terminated, but may still use a processor. */
	readonly #ending = new Set<Worker>();
	readonly #waiting = new Set<Job>();
	#lastId = 0;
	#closed = false;

	/** `file` is the code of the threads, which implements the tasks of `Inputs` (`taskThread.ts` of the engine). */
	constructor(file: URL, limits: ThreadLimits) {
		this.#file = file;
		this.#limits = limits;
	}

	/**
	 * Runs a task with a copy of its input. Rejects with the task's error (message, and `type` if any), a {@link ThreadFault}, or the
	 * signal's reason.
	 */
	run<Name extends keyof Inputs & keyof Outputs & string>(name: Name, input: Inputs[Name], signal: AbortSignal): Promise<Outputs[Name]> {
		return new Promise((resolve, reject) => {
			if (signal.aborted || this.#closed) {
				reject(signal.aborted ? signal.reason : new ThreadFault('closed', 'the gateway is shutting down'));
				return;
			}
			const stop = () => {
				this.#waiting.delete(job);
				for (const thread of this.#threads) {
					if (thread.job === job) {
						this.#terminateThread(thread, signal.reason);
					}
				}
				job.settle({ error: signal.reason });
			};
			const job: Job = {
				id: ++this.#lastId,
				name,
				input,
				settle: outcome => {
					signal.removeEventListener('abort', stop);
					if ('error' in outcome) {
						reject(outcome.error);
					} else {
						resolve(outcome.result as Outputs[Name]);
					}
				},
			};
			signal.addEventListener('abort', stop, { once: true });
			this.#waiting.add(job);
			this.#assignJobs();
		});
	}

	/** Terminates all threads. Their jobs fail. */
	async close(): Promise<void> {
		this.#closed = true;
		const fault = new ThreadFault('closed', 'the gateway is shutting down');
		for (const job of this.#waiting) {
			job.settle({ error: fault });
		}
		this.#waiting.clear();
		const ended = [...this.#threads].map(thread => this.#terminateThread(thread, fault));
		await Promise.all(ended);
	}

	/** Assigns waiting jobs to free threads, oldest first. */
	#assignJobs(): void {
		for (const job of this.#waiting) {
			const thread = [...this.#threads].find(each => !each.job) ?? this.#startThread();
			if (!thread) {
				return;
			}
			this.#waiting.delete(job);
			thread.job = job;
			thread.worker.ref();
			this.#setThreadTimeout(thread, loadMs, () => new ThreadFault('time', `its thread didn't start within ${loadMs / 1000} seconds`));
			try {
				thread.worker.postMessage({ id: job.id, name: job.name, input: job.input });
			} catch (error) {
				// the input can't be copied
				this.#finishJob(thread, { error });
			}
		}
	}

	#startThread(): Thread | undefined {
		if (this.#threads.size + this.#ending.size >= this.#limits.maxThreads) {
			return undefined;
		}
		const worker = new Worker(this.#file, {
			env: {},
			stdin: false,
			resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMb, maxYoungGenerationSizeMb: 16 },
		});
		const thread: Thread = { worker, job: undefined, timer: undefined, watch: undefined };
		worker.on('message', (message: TaskMessage) => this.#onMessage(thread, message));
		worker.on('error', error => {
			const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
			void this.#terminateThread(thread, outOfMemory ? this.#createMemoryFault() : new ThreadFault('failed', error.message));
		});
		worker.on('exit', () => void this.#terminateThread(thread, new ThreadFault('failed', 'its thread stopped')));
		this.#threads.add(thread);
		return thread;
	}

	#onMessage(thread: Thread, message: TaskMessage): void {
		const { job } = thread;
		if (message.id !== job?.id) {
			return;
		}
		if ('begun' in message) {
			const { timeoutMs } = this.#limits;
			this.#setThreadTimeout(thread, timeoutMs, () => new ThreadFault('time', `it takes longer than ${timeoutMs / 1000} seconds`));
			thread.watch = setInterval(() => void this.#checkMemory(thread), lookMs);
		} else {
			this.#finishJob(thread, 'error' in message ? { error: Object.assign(new Error(message.error.message), message.error) } : message);
		}
	}

	/** Terminates a thread if its buffers exceed the limit, because the thread's heap limit doesn't include buffers. */
	async #checkMemory(thread: Thread): Promise<void> {
		const { job } = thread;
		try {
			const { external_memory: bytes } = await thread.worker.getHeapStatistics();
			if (bytes > this.#limits.memoryMb * 1024 * 1024 && thread.job === job) {
				void this.#terminateThread(thread, this.#createMemoryFault());
			}
		} catch {
			// the thread has ended
		}
	}

	#createMemoryFault(): ThreadFault {
		return new ThreadFault('memory', `it takes more than ${this.#limits.memoryMb} MB of memory`);
	}

	#finishJob(thread: Thread, outcome: Parameters<Job['settle']>[0]): void {
		const { job } = thread;
		clearInterval(thread.watch);
		thread.job = undefined;
		thread.worker.unref();
		this.#setThreadTimeout(thread, idleMs, () => new ThreadFault('closed', 'it was idle'));
		thread.timer?.unref();
		this.#assignJobs();
		job?.settle(outcome);
	}

	#setThreadTimeout(thread: Thread, ms: number, why: () => ThreadFault): void {
		clearTimeout(thread.timer);
		thread.timer = setTimeout(() => void this.#terminateThread(thread, why()), ms);
	}

	async #terminateThread(thread: Thread, why: unknown): Promise<void> {
		clearTimeout(thread.timer);
		clearInterval(thread.watch);
		if (!this.#threads.delete(thread)) {
			return;
		}
		const { worker, job } = thread;
		thread.job = undefined;
		this.#ending.add(worker);
		job?.settle({ error: why });
		await worker.terminate();
		this.#ending.delete(worker);
		this.#assignJobs();
	}
}
