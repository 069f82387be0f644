import { Worker } from 'node:worker_threads';

/** What a thread answers: the question's `id`, and a `value` or what is left of an error between threads (`errcode` is SQLite's). */
export interface ThreadAnswer {
	readonly id: number;
	readonly value?: unknown;
	readonly error?: { readonly message: string; readonly errcode?: unknown; readonly code?: unknown };
}

/** What a thread of ours is begun with. */
interface ThreadSettings {
	/** File of its code. */
	readonly code: URL;
	readonly workerData: unknown;
	readonly memoryMb: number;
	/** As in "the thread of the search", for messages. */
	readonly name: string;
}

/** A thread that answers questions one after the other. It starts with the first of them; one that has ended is begun anew by the next. */
export class AskedThread<Request extends { readonly id: number }> {
	readonly #settings: ThreadSettings;
	readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
	#worker: Worker | undefined;
	#lastId = 0;
	#stopped = false;

	constructor(settings: ThreadSettings) {
		this.#settings = settings;
	}

	/** Resolves to the answer. Rejects with what the thread threw (message, `errcode`, `code`), and where the thread ends before. */
	async ask<T>(request: Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never): Promise<T> {
		if (this.#stopped) {
			throw new Error(`${this.#settings.name} has ended`);
		}
		this.#worker ??= this.#start();
		const id = ++this.#lastId;
		const answer = Promise.withResolvers<unknown>();
		this.#asked.set(id, answer);
		this.#worker.postMessage({ ...request, id });
		return (await answer.promise) as T;
	}

	/** Ends the thread, whatever it does; resolves when it has ended. */
	async stop(): Promise<void> {
		this.#stopped = true;
		await this.#worker?.terminate();
	}

	#start(): Worker {
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
		worker.on('error', error => this.#ended(worker, error));
		worker.on('exit', () => this.#ended(worker, new Error(`${name} ended`)));
		return worker;
	}

	/** The next question starts another thread. */
	#ended(worker: Worker, error: Error): void {
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

/** What is left of an error for the asker of a thread. */
export function threadError(error: unknown): NonNullable<ThreadAnswer['error']> {
	const { message, errcode, code } = error as Error & { errcode?: unknown; code?: unknown };
	return { message, ...(errcode !== undefined && { errcode }), ...(code !== undefined && { code }) };
}
