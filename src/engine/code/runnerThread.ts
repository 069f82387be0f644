import { Worker } from 'node:worker_threads';
import { CodeFailure } from '#base/sandbox/codeFailure.ts';
import { type CodeJob, type CodeLimits, type CodeReply, formatTimeout, type ThreadMessage } from '#base/sandbox/codeJob.ts';

/** Milliseconds that a thread has to stop a call itself, which gives a better error, before the thread is terminated. */
const graceMs = 250;

/**
 * A thread that runs one call at a time. If a call can't be interrupted because QuickJS is inside one long operation, the whole thread is
 * terminated.
 */
export class RunnerThread {
	readonly #limits: CodeLimits;
	readonly #worker: Worker;
	readonly #ready = Promise.withResolvers<void>();
	#call: PromiseWithResolvers<CodeReply> | undefined;
	#ended = false;

	constructor(limits: CodeLimits) {
		this.#limits = limits;
		// in the bundle the thread's code is a JavaScript file next to this one; from source it is TypeScript
		const file = import.meta.url.endsWith('.ts') ? './codeThread.ts' : './codeThread.js';
		this.#worker = new Worker(new URL(file, import.meta.url), {
			env: {},
			stdin: false,
			workerData: limits,
			resourceLimits: { maxOldGenerationSizeMb: 256 },
		});
		this.#worker.unref();
		this.#worker.on('message', (message: ThreadMessage) => {
			if (message === 'ready') {
				this.#ready.resolve();
			} else {
				this.#call?.resolve(message);
			}
		});
		this.#worker.on('error', error => this.#onThreadLost(error.message));
		this.#worker.on('exit', () => this.#onThreadLost('its thread stopped'));
	}

	/** True if the thread can't run calls anymore. */
	get ended(): boolean {
		return this.#ended;
	}

	/**
	 * Runs a call. The time limit starts when the thread has started. Rejects with the signal's reason.
	 * @throws {CodeFailure} if the call exceeds its time limit or the thread is lost
	 */
	async runJob(job: CodeJob, signal: AbortSignal): Promise<CodeReply> {
		signal.throwIfAborted();
		const call = Promise.withResolvers<CodeReply>();
		this.#call = call;
		const stop = () => {
			call.reject(signal.reason);
			void this.endThread();
		};
		const onTimeout = () => {
			call.reject(new CodeFailure(formatTimeout(this.#limits)));
			void this.endThread();
		};
		let timer: NodeJS.Timeout | undefined;
		void this.#ready.promise.then(() => {
			if (this.#call === call) {
				timer = setTimeout(onTimeout, this.#limits.timeoutMs + graceMs);
			}
		});
		signal.addEventListener('abort', stop, { once: true });
		try {
			this.#worker.postMessage(job);
			const reply = await call.promise;
			if (reply.spent) {
				void this.endThread();
			}
			return reply;
		} finally {
			this.#call = undefined;
			clearTimeout(timer);
			signal.removeEventListener('abort', stop);
		}
	}

	/** Terminates the thread even if it is busy. A running call fails. */
	async endThread(why = 'its thread stopped'): Promise<void> {
		this.#onThreadLost(why);
		await this.#worker.terminate();
	}

	#onThreadLost(why: string): void {
		this.#ended = true;
		this.#call?.reject(new CodeFailure(`Couldn't run the code: ${why}`));
	}
}
