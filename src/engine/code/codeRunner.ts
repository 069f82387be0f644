import { inputsText } from '#base/sandbox/codeData.ts';
import { CodeFailure } from '#base/sandbox/codeFailure.ts';
import type { CodeLimits } from '#base/sandbox/codeJob.ts';
import { Places } from './places.ts';
import { RunnerThread } from './runnerThread.ts';

const defaultLimits: CodeLimits = { timeoutMs: 10_000, memoryBytes: 128 * 1024 * 1024 };

/** For calls that nobody stops. */
const neverAborted = new AbortController().signal;

/**
 * Runs JavaScript of code nodes in QuickJS, each call in a fresh context that reaches nothing outside: no process, file, network or timer
 * of ours. It runs in threads, so that code that never ends holds up nobody else and can be ended at once. Threads start on first use;
 * `warm` starts one ahead of it.
 */
export class CodeRunner {
	readonly #limits: CodeLimits;
	readonly #places: Places;
	readonly #threads = new Set<RunnerThread>();
	readonly #idle: RunnerThread[] = [];

	constructor(limits: Partial<CodeLimits> = {}, maxThreads = 2) {
		this.#limits = { ...defaultLimits, ...limits };
		this.#places = new Places(maxThreads);
	}

	/** Starts a thread ahead of the first call, which would wait for it; resolves when it is ready. */
	async warm(): Promise<void> {
		if (this.#threads.size === 0) {
			await this.run('const main = () => ({})', {}, neverAborted).catch(() => {});
		}
	}

	/**
	 * Calls `main(inputs)` of a program and returns what it returns, as JSON carries it. Rejects with the signal's reason.
	 * @throws {CodeFailure} with the program's error, or the limit it ran into
	 */
	async run(source: string, inputs: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
		const job = { source, inputs: inputsText(inputs) };
		using _place = await this.#places.take(signal);
		using lease = this.#thread();
		const reply = await lease.thread.run(job, signal);
		if ('error' in reply) {
			throw new CodeFailure(reply.error);
		}
		return reply.result === undefined ? undefined : parsed(reply.result);
	}

	/** Ends all threads; calls in flight and those that wait fail. */
	async close(): Promise<void> {
		const why = 'The code runner was closed';
		this.#places.close(new CodeFailure(why));
		await Promise.all([...this.#threads].map(thread => thread.end(why)));
	}

	/** A thread for one call; disposing it puts it back, or forgets it if it has ended. */
	#thread(): Disposable & { readonly thread: RunnerThread } {
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

/** A program that replaces `JSON` or `Promise` can give a text that is no JSON. */
function parsed(result: string): unknown {
	try {
		return JSON.parse(result);
	} catch (error) {
		throw new CodeFailure('main() gave no JSON', { cause: error });
	}
}
