import { Worker } from 'node:worker_threads';
import type { TaskInputs, TaskMessage, TaskOutputs } from './tasks.ts';
import { ThreadFault } from './threadFault.ts';

/** Milliseconds that a thread may take to load what a task needs, and that it waits for the next one before it is ended. */
const loadMs = 30_000;
const idleMs = 30_000;
/** Milliseconds between two looks at the buffers of a thread that is at work. */
const lookMs = 100;

interface ThreadLimits {
	readonly maxThreads: number;
	/** Milliseconds that one task may take, from when its thread has begun with it. */
	readonly timeoutMs: number;
	/** Megabytes that a thread may hold in values, and as many in buffers. */
	readonly memoryMb: number;
}

interface Job {
	readonly id: number;
	readonly name: string;
	readonly input: unknown;
	readonly settle: (outcome: { readonly result: unknown } | { readonly error: unknown }) => void;
}

/** A thread that does one job at a time. `timer` ends it when that takes too long, or when none comes; `watch` looks at its memory. */
interface Thread {
	readonly worker: Worker;
	job: Job | undefined;
	timer: NodeJS.Timeout | undefined;
	watch: NodeJS.Timeout | undefined;
}

/**
 * Does work that a user's file or text may make arbitrarily long in threads of its own. Whatever the work is in the middle of, its thread
 * is ended from outside when its time, its memory or its run is over, and the next job gets a new one. Threads start on first use and end
 * when nobody needs them. `Inputs` and `Outputs`: what each task takes and gives, by its name.
 */
export class ThreadPool<Inputs extends object = TaskInputs, Outputs extends object = TaskOutputs> {
	readonly #file: URL;
	readonly #limits: ThreadLimits;
	readonly #threads = new Set<Thread>();
	/** Threads that were told to end and have not yet: they still take a processor. */
	readonly #ending = new Set<Worker>();
	readonly #waiting = new Set<Job>();
	#lastId = 0;
	#closed = false;

	/** `file`: the code of the threads, which does what `Inputs` names (`taskThread.ts` of the engine). */
	constructor(file: URL, limits: ThreadLimits) {
		this.#file = file;
		this.#limits = limits;
	}

	/**
	 * Does a task; its input is copied. Rejects with what the task throws (message, and `type` where it has one), with a {@link
	 * ThreadFault}, or with the signal's reason.
	 */
	run<Name extends keyof Inputs & keyof Outputs & string>(name: Name, input: Inputs[Name], signal: AbortSignal): Promise<Outputs[Name]> {
		return new Promise((resolve, reject) => {
			if (signal.aborted || this.#closed) {
				reject(signal.aborted ? signal.reason : new ThreadFault('closed', 'the gateway is ending'));
				return;
			}
			const stop = () => {
				this.#waiting.delete(job);
				for (const thread of this.#threads) {
					if (thread.job === job) {
						this.#end(thread, signal.reason);
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
			this.#assign();
		});
	}

	/** Ends all threads; what they do fails. */
	async close(): Promise<void> {
		this.#closed = true;
		const fault = new ThreadFault('closed', 'the gateway is ending');
		for (const job of this.#waiting) {
			job.settle({ error: fault });
		}
		this.#waiting.clear();
		const ended = [...this.#threads].map(thread => this.#end(thread, fault));
		await Promise.all(ended);
	}

	/** Gives waiting jobs to free threads, oldest first. */
	#assign(): void {
		for (const job of this.#waiting) {
			const thread = [...this.#threads].find(each => !each.job) ?? this.#start();
			if (!thread) {
				return;
			}
			this.#waiting.delete(job);
			thread.job = job;
			thread.worker.ref();
			this.#endAfter(thread, loadMs, () => new ThreadFault('time', `its thread did not start within ${loadMs / 1000} seconds`));
			try {
				thread.worker.postMessage({ id: job.id, name: job.name, input: job.input });
			} catch (error) {
				// what cannot be copied
				this.#finish(thread, { error });
			}
		}
	}

	#start(): Thread | undefined {
		if (this.#threads.size + this.#ending.size >= this.#limits.maxThreads) {
			return undefined;
		}
		const worker = new Worker(this.#file, {
			env: {},
			stdin: false,
			resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMb, maxYoungGenerationSizeMb: 16 },
		});
		const thread: Thread = { worker, job: undefined, timer: undefined, watch: undefined };
		worker.on('message', (message: TaskMessage) => this.#told(thread, message));
		worker.on('error', error => {
			const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
			void this.#end(thread, outOfMemory ? this.#tooMuch() : new ThreadFault('failed', error.message));
		});
		worker.on('exit', () => void this.#end(thread, new ThreadFault('failed', 'its thread ended')));
		this.#threads.add(thread);
		return thread;
	}

	#told(thread: Thread, message: TaskMessage): void {
		const { job } = thread;
		if (message.id !== job?.id) {
			return;
		}
		if ('begun' in message) {
			const { timeoutMs } = this.#limits;
			this.#endAfter(thread, timeoutMs, () => new ThreadFault('time', `it takes longer than ${timeoutMs / 1000} seconds`));
			thread.watch = setInterval(() => void this.#look(thread), lookMs);
		} else {
			this.#finish(thread, 'error' in message ? { error: Object.assign(new Error(message.error.message), message.error) } : message);
		}
	}

	/** Ends a thread whose buffers have grown over the limit: that of its heap does not count them. */
	async #look(thread: Thread): Promise<void> {
		const { job } = thread;
		try {
			const { external_memory: bytes } = await thread.worker.getHeapStatistics();
			if (bytes > this.#limits.memoryMb * 1024 * 1024 && thread.job === job) {
				void this.#end(thread, this.#tooMuch());
			}
		} catch {
			// it has ended meanwhile
		}
	}

	#tooMuch(): ThreadFault {
		return new ThreadFault('memory', `it takes more than ${this.#limits.memoryMb} MB of memory`);
	}

	#finish(thread: Thread, outcome: Parameters<Job['settle']>[0]): void {
		const { job } = thread;
		clearInterval(thread.watch);
		thread.job = undefined;
		thread.worker.unref();
		this.#endAfter(thread, idleMs, () => new ThreadFault('closed', 'nobody needed it'));
		thread.timer?.unref();
		this.#assign();
		job?.settle(outcome);
	}

	#endAfter(thread: Thread, ms: number, why: () => ThreadFault): void {
		clearTimeout(thread.timer);
		thread.timer = setTimeout(() => void this.#end(thread, why()), ms);
	}

	async #end(thread: Thread, why: unknown): Promise<void> {
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
		this.#assign();
	}
}
