import { Worker } from 'node:worker_threads';
import { CodeFailure } from './codeFailure.ts';
import type { CodeJob, CodeReply } from './codeJob.ts';

/** Milliseconds one call may take, and bytes of memory it may use. */
const defaultLimits = { timeoutMs: 10_000, memoryBytes: 64 * 1024 * 1024 };

/** For calls that nobody stops. */
const neverAborted = new AbortController().signal;

export interface CodeLimits {
	readonly timeoutMs: number;
	readonly memoryBytes: number;
}

/** A thread that runs one call at a time. */
interface Thread {
	readonly worker: Worker;
	job: { readonly id: number; settle(reply: CodeReply): void } | undefined;
}

/**
 * Runs JavaScript of code nodes in QuickJS, each call in a fresh context that reaches nothing outside: no process, file, network or timer
 * of ours. It runs in threads, so that code that never ends holds up nobody else and can be ended at once. Threads start on first use;
 * `warm` starts one ahead of it.
 */
export class CodeRunner {
	readonly #limits: CodeLimits;
	readonly #maxThreads: number;
	readonly #threads = new Set<Thread>();
	readonly #waiting: (() => void)[] = [];
	#lastId = 0;
	#closed = false;

	constructor(limits: Partial<CodeLimits> = {}, maxThreads = 2) {
		this.#limits = { ...defaultLimits, ...limits };
		this.#maxThreads = maxThreads;
	}

	/** Starts a thread ahead of the first call, which would wait for it; resolves when it is ready. */
	async warm(): Promise<void> {
		if (!this.#closed && this.#threads.size === 0) {
			await this.run('const main = () => ({})', {}, neverAborted).catch(() => {});
		}
	}

	/**
	 * Calls `main(inputs)` of a program and returns what it returns, as JSON carries it.
	 * @throws {CodeFailure} with the program's error, or the limit it ran into
	 */
	async run(source: string, inputs: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
		const thread = await this.#freeThread(signal);
		const job: CodeJob = { id: ++this.#lastId, source, inputs: JSON.stringify(inputs), ...this.#limits };
		const reply = await new Promise<CodeReply>((resolve, reject) => {
			const stop = () => {
				this.#drop(thread);
				reject(signal.reason);
			};
			thread.job = {
				id: job.id,
				settle: reply => {
					signal.removeEventListener('abort', stop);
					resolve(reply);
				},
			};
			signal.addEventListener('abort', stop, { once: true });
			thread.worker.postMessage(job);
		}).finally(() => {
			thread.job = undefined;
			this.#waiting.shift()?.();
		});
		if ('error' in reply) {
			throw new CodeFailure(reply.error);
		}
		return reply.result === undefined ? undefined : JSON.parse(reply.result);
	}

	/** Ends all threads; calls in flight fail. */
	async close(): Promise<void> {
		this.#closed = true;
		for (const thread of this.#threads) {
			thread.job?.settle({ id: thread.job.id, error: 'The code runner was closed' });
		}
		await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
		this.#threads.clear();
	}

	async #freeThread(signal: AbortSignal): Promise<Thread> {
		for (;;) {
			signal.throwIfAborted();
			if (this.#closed) {
				throw new CodeFailure('The code runner was closed');
			}
			const free = [...this.#threads].find(thread => !thread.job);
			if (free || this.#threads.size < this.#maxThreads) {
				const thread = free ?? this.#startThread();
				// taken before anything else gets its turn
				thread.job = { id: 0, settle: () => {} };
				return thread;
			}
			await this.#turn(signal);
		}
	}

	#turn(signal: AbortSignal): Promise<void> {
		return new Promise(resolve => {
			const go = () => {
				signal.removeEventListener('abort', go);
				resolve();
			};
			this.#waiting.push(go);
			signal.addEventListener('abort', go, { once: true });
		});
	}

	#startThread(): Thread {
		// the bundle has the thread's code as a file beside this one; from source it is TypeScript
		const file = import.meta.url.endsWith('.ts') ? './codeThread.ts' : './codeThread.js';
		const worker = new Worker(new URL(file, import.meta.url), { env: {}, stdin: false, resourceLimits: { maxOldGenerationSizeMb: 256 } });
		const thread: Thread = { worker, job: undefined };
		worker.unref();
		worker.on('message', (reply: CodeReply) => {
			const { job } = thread;
			if (reply.broken) {
				this.#drop(thread);
			}
			if (job?.id === reply.id) {
				job.settle(reply);
			}
		});
		worker.on('error', error => this.#lost(thread, error.message));
		worker.on('exit', () => this.#lost(thread, 'its thread ended'));
		this.#threads.add(thread);
		return thread;
	}

	#lost(thread: Thread, why: string): void {
		const { job } = thread;
		this.#threads.delete(thread);
		job?.settle({ id: job.id, error: `The code could not be run: ${why}` });
		this.#waiting.shift()?.();
	}

	#drop(thread: Thread): void {
		this.#threads.delete(thread);
		thread.job = undefined;
		void thread.worker.terminate();
	}
}
