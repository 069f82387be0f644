import { Worker } from 'node:worker_threads';

/** A thread's response: the request's `id`, and a `value` or those parts of an error that can be sent (`errcode` is SQLite's). */
export interface ThreadAnswer {
	readonly id: number;
	readonly value?: unknown;
	readonly error?: { readonly message: string; readonly errcode?: unknown; readonly code?: unknown };
}

/** Settings of a worker thread. */
interface ThreadSettings {
	/** File with the thread's code. */
	readonly code: URL;
	readonly workerData: unknown;
	readonly memoryMb: number;
	/** Name for messages, for example "The search thread". */
	readonly name: string;
}

/**
 * A thread that responds to requests one after another. Starts with the first request, and again with the next request after it has exited.
 */
export class RequestThread<Request extends { readonly id: number }> {
	readonly #settings: ThreadSettings;
	readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
	#worker: Worker | undefined;
	#lastId = 0;
	#stopped = false;

	constructor(settings: ThreadSettings) {
		this.#settings = settings;
	}

	/**
	 * Resolves with the response. Rejects with the thread's error (message, `errcode`, `code`), or if the thread exits before responding.
	 */
	async sendRequest<T>(request: Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never): Promise<T> {
		if (this.#stopped) {
			throw new Error(`${this.#settings.name} has stopped`);
		}
		this.#worker ??= this.#startThread();
		const id = ++this.#lastId;
		const answer = Promise.withResolvers<unknown>();
		this.#asked.set(id, answer);
		this.#worker.postMessage({ ...request, id });
		return (await answer.promise) as T;
	}

	/** Terminates the thread, even if it's busy. Resolves once it has exited. */
	async stop(): Promise<void> {
		this.#stopped = true;
		await this.#worker?.terminate();
	}

	#startThread(): Worker {
		const { code, workerData, memoryMb, name } = this.#settings;
		const worker = new Worker(code, {
			workerData,
			env: {},
			resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 8 },
		});
		worker.unref();
		worker.on('message', ({ id, value, error }: ThreadAnswer) => {
			const asked = this.#asked.get(id);
			this.#asked.delete(id);
			if (error === undefined) {
				asked?.resolve(value);
			} else {
				asked?.reject(Object.assign(new Error(error.message), error));
			}
		});
		worker.on('error', error => this.#onExit(worker, error));
		worker.on('exit', () => this.#onExit(worker, new Error(`${name} stopped unexpectedly`)));
		return worker;
	}

	/** Rejects open requests. The next request starts another thread. */
	#onExit(worker: Worker, error: Error): void {
		if (this.#worker === worker) {
			this.#worker = undefined;
			const asked = [...this.#asked.values()];
			this.#asked.clear();
			for (const { reject } of asked) {
				reject(error);
			}
		}
	}
}

/** Returns those parts of an error that can be sent to the thread's caller. */
export function toThreadError(error: unknown): NonNullable<ThreadAnswer['error']> {
	const { message, errcode, code } = error as Error & { errcode?: unknown; code?: unknown };
	return { message, ...(errcode !== undefined && { errcode }), ...(code !== undefined && { code }) };
}
