import { serializeInputs } from '#base/sandbox/codeData.ts';
import { CodeFailure } from '#base/sandbox/codeFailure.ts';
import type { CodeLimits } from '#base/sandbox/codeJob.ts';
import type { FixedChance } from '../run/engineTypes.ts';
import { RunnerThread } from './runnerThread.ts';
import { Semaphore } from './semaphore.ts';

const defaultLimits: CodeLimits = { timeoutMs: 10_000, memoryBytes: 128 * 1024 * 1024 };

/** The default signal for calls that can't be aborted. */
const neverAborted = new AbortController().signal;

/**
 * Runs the JavaScript of code nodes in QuickJS. Each call gets a fresh context without access to processes, files, the network or timers.
 * It runs in threads, so an endless program blocks no other call and can be stopped immediately. Threads start on first use, or in advance
 * by {@link startThread}.
 */
export class CodeRunner {
	readonly #limits: CodeLimits;
	readonly #semaphore: Semaphore;
	readonly #threads = new Set<RunnerThread>();
	readonly #idle: RunnerThread[] = [];

	constructor(limits: Partial<CodeLimits> = {}, maxThreads = 2) {
		this.#limits = { ...defaultLimits, ...limits };
		this.#semaphore = new Semaphore(maxThreads);
	}

	/** Starts a thread so that the first call doesn't have to wait for it. Resolves when the thread is ready. */
	async startThread(): Promise<void> {
		if (this.#threads.size === 0) {
			await this.run('const main = () => ({})', {}, neverAborted).catch(() => {});
		}
	}

	/**
	 * Calls a program's `main(inputs)` and returns its result after a round trip through JSON. Rejects with the signal's reason.
	 * @param fixed time and seed that the program sees; by default real ones
	 * @throws {CodeFailure} with the program's error, or the limit it exceeded
	 */
	async run(source: string, inputs: Readonly<Record<string, unknown>>, signal: AbortSignal, fixed?: FixedChance): Promise<unknown> {
		// the time of a run is only recorded if something reads it
		const isRepeatable = fixed && /\b(?:Date|random)\b/.test(source);
		const job = {
			source,
			inputs: serializeInputs(inputs),
			...(isRepeatable && { fixed: { time: fixed.time, seed: fixed.seed } }),
		};
		using _permit = await this.#semaphore.acquirePermit(signal);
		using lease = this.#borrowThread();
		const reply = await lease.thread.runJob(job, signal);
		if ('error' in reply) {
			throw new CodeFailure(reply.error);
		}
		return reply.result === undefined ? undefined : parseCallResult(reply.result);
	}

	/** Ends all threads. Running and queued calls fail. */
	async close(): Promise<void> {
		const why = 'The code runner was closed';
		this.#semaphore.close(new CodeFailure(why));
		await Promise.all([...this.#threads].map(thread => thread.endThread(why)));
	}

	/** Gets a thread for one call. Disposing it returns the thread to the pool, or drops it if the thread has ended. */
	#borrowThread(): Disposable & { readonly thread: RunnerThread } {
		let thread = this.#idle.pop();
		while (thread?.ended) {
			this.#threads.delete(thread);
			thread = this.#idle.pop();
		}
		const leased = thread ?? new RunnerThread(this.#limits);
		this.#threads.add(leased);
		return {
			thread: leased,
			[Symbol.dispose]: () => {
				if (leased.ended) {
					this.#threads.delete(leased);
				} else {
					this.#idle.push(leased);
				}
			},
		};
	}
}

/** Parses a call's result. A program that replaces `JSON` or `Promise` can return a string that isn't JSON. */
function parseCallResult(result: string): unknown {
	try {
		return JSON.parse(result);
	} catch (error) {
		throw new CodeFailure("main() didn't return a JSON value", { cause: error });
	}
}
